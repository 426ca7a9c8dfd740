-- Evidence under change: what was written when, so that what rests on a source
-- goes with it.

-- The id in a link to a message.
ALTER TABLE source ADD COLUMN message TEXT
	GENERATED ALWAYS AS (CASE WHEN url LIKE 'https://discord.com/channels/%'
	THEN replace(url, rtrim(url, '0123456789'), '') END) VIRTUAL;
CREATE INDEX source_message ON source(message) WHERE gone_ms IS NULL;
CREATE INDEX source_channel ON source(channel) WHERE gone_ms IS NULL;

-- The id of the message that a request replied to, or that corrected it.
ALTER TABLE turn ADD COLUMN reply TEXT;
UPDATE turn SET reply = json_extract(record, '$.reply.id');
CREATE INDEX turn_reply ON turn(reply) WHERE reply IS NOT NULL;
ALTER TABLE control ADD COLUMN message TEXT;
CREATE INDEX control_message ON control(message) WHERE message IS NOT NULL;

-- How many calls were numbered then: those had been asked for.
ALTER TABLE plan ADD COLUMN calls INTEGER;
ALTER TABLE note ADD COLUMN calls INTEGER;
ALTER TABLE goal ADD COLUMN calls INTEGER;

-- What it asked for, and gave, was left out: it rested on what is gone.
ALTER TABLE call ADD COLUMN gone_ms INTEGER;

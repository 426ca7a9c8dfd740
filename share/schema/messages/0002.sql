-- What was edited since a moment, without reading every message.
CREATE INDEX message_edited ON message(edited) WHERE edited IS NOT NULL;

-- How many messages a channel has: each page of an answer says it, and to count
-- a million of them takes as long as to find the answer. store/chunk keeps it.
ALTER TABLE channel ADD COLUMN messages INTEGER NOT NULL DEFAULT 0;
UPDATE channel SET messages =
	(SELECT count(*) FROM message WHERE message.channel = channel.ord);

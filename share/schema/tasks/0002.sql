-- Delivery: where an outcome goes, the messages that bring it, and the one that
-- shows meanwhile how the work goes.

ALTER TABLE outbox ADD COLUMN reason TEXT;	-- why it failed, or isn't known

CREATE TABLE address (			-- where the outcome of a turn goes
	turn	TEXT PRIMARY KEY,	-- may be there before the turn itself
	channel	TEXT NOT NULL,
	request	TEXT,			-- id of the message that is replied to
	application TEXT,		-- it came by an interaction of this one
	token	TEXT,			-- of the interaction, a secret: only while
	until_ms INTEGER,		-- it is of use
	ephemeral INTEGER NOT NULL DEFAULT 0,	-- 1: only the requester sees it
	at_ms	INTEGER NOT NULL,
	CHECK ((token IS NULL) = (until_ms IS NULL)),
	CHECK (token IS NULL OR application IS NOT NULL)
) STRICT;
CREATE INDEX address_token ON address(until_ms) WHERE token IS NOT NULL;

CREATE TABLE delivery (			-- one message of an outbox row
	outbox	INTEGER NOT NULL REFERENCES outbox ON DELETE CASCADE,
	k	INTEGER NOT NULL,	-- from 1, in the order they are sent
	nonce	TEXT NOT NULL UNIQUE,
	text	TEXT NOT NULL,		-- the content as it is sent
	file	INTEGER NOT NULL DEFAULT 0,	-- 1: the whole text goes with it
	state	TEXT NOT NULL CHECK (state IN
		('pending', 'sent', 'delivered', 'failed', 'unknown')),
	message	TEXT,			-- its id at Discord
	attempts INTEGER NOT NULL DEFAULT 0,
	first_ms INTEGER,		-- when it was first sent
	reason	TEXT,			-- why it failed, or isn't known
	PRIMARY KEY (outbox, k),
	CHECK ((state = 'pending') = (attempts = 0) OR state = 'failed'),
	CHECK ((attempts = 0) = (first_ms IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE progress (			-- the message that shows how a turn goes
	turn	TEXT PRIMARY KEY,
	channel	TEXT NOT NULL,
	nonce	TEXT NOT NULL UNIQUE,
	message	TEXT,			-- its id, once it is known
	first_ms INTEGER NOT NULL	-- when it was first sent
) STRICT;
CREATE INDEX progress_message ON progress(message);

-- What belongs to a turn goes with it.
CREATE TRIGGER turn_gone AFTER DELETE ON turn BEGIN
	DELETE FROM address WHERE turn = old.id;
	DELETE FROM progress WHERE turn = old.id;
END;

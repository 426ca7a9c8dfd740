-- Conversation: how far the events were taken in, the requests whose turn has
-- not begun, and the channels that have to be looked through since events are
-- missing.

CREATE TABLE heard (			-- a shard's spool is taken in up to here
	shard	INTEGER PRIMARY KEY,
	number	INTEGER NOT NULL,	-- of the last event that is
	at_ms	INTEGER NOT NULL	-- when that was received
) STRICT;

CREATE TABLE inbox (			-- let in, but its turn has not begun
	id	INTEGER PRIMARY KEY AUTOINCREMENT,
	turn	TEXT NOT NULL UNIQUE,	-- the id its turn will have
	task	TEXT,			-- that it goes on with
	record	TEXT NOT NULL,		-- JSON: the turn record
	late	INTEGER NOT NULL CHECK (late IN (0, 1)),	-- it came while
					-- nobody listened
	asked_ms INTEGER NOT NULL,	-- when it was written
	tries	INTEGER NOT NULL DEFAULT 0,	-- at beginning it
	due_ms	INTEGER NOT NULL DEFAULT 0	-- not to be begun before
) STRICT;

CREATE TABLE catchup (			-- may hold requests that nobody heard
	kind	TEXT NOT NULL CHECK (kind IN ('guild', 'channel')),
	id	TEXT NOT NULL,
	guild	TEXT,			-- of a channel; NULL for direct messages
	after	TEXT NOT NULL,		-- messages up to this id are known
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX delivery_message ON delivery(message);
CREATE INDEX address_request ON address(request);

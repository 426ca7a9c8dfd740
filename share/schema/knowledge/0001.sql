-- knowledge.sqlite: what outlasts the index. First of all: which sources were
-- deleted, and which deletions are not carried through all stores yet. Ids are
-- snowflakes, times ms since 1970 UTC.

CREATE TABLE tombstone (		-- deleted: nothing may bring it back
	kind	TEXT NOT NULL CHECK (kind IN ('message', 'channel')),
	id	INTEGER NOT NULL,
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE purge (			-- a deletion under way
	id	INTEGER PRIMARY KEY AUTOINCREMENT,
	kind	TEXT NOT NULL CHECK (kind IN ('message', 'channel')),
	target	INTEGER NOT NULL,
	at_ms	INTEGER NOT NULL,
	step	INTEGER NOT NULL,	-- what is to be done next: lib/store/purge.h
	UNIQUE (kind, target)
) STRICT;
CREATE INDEX purge_step ON purge(step, id);

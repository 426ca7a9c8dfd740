-- The message in Discord that asks for an approval, from before it is sent
-- until it says what became of it.

CREATE TABLE card (
	approval TEXT PRIMARY KEY REFERENCES approval ON DELETE CASCADE,
	channel	TEXT NOT NULL,
	hidden	INTEGER NOT NULL,	-- 1: only the person asked sees it, and no
					-- channel has it
	message	TEXT,			-- its id, once it is known
	sent_ms	INTEGER NOT NULL,	-- when it was first sent
	closed_ms INTEGER		-- it says so, and has no buttons any more
) STRICT;
CREATE INDEX card_open ON card(approval) WHERE closed_ms IS NULL;

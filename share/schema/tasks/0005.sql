-- Receipts as they are written: what a change was, for a person and for whoever
-- looks whether it happened; and one that was done in part.

CREATE TABLE receipt_old AS SELECT * FROM receipt;
CREATE TABLE part_old AS SELECT * FROM receipt_part;
CREATE TABLE settlement_old AS SELECT * FROM settlement;
DROP TABLE settlement;
DROP TABLE receipt_part;
DROP TABLE receipt;

CREATE TABLE receipt (			-- a change: intent first, then its outcome
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	capability TEXT NOT NULL,
	arguments TEXT NOT NULL,	-- JSON, exactly what was validated
	nonce	TEXT NOT NULL UNIQUE,
	text	TEXT NOT NULL,		-- the operation and its target, in words
	guild	TEXT,			-- where it is made
	items	TEXT,			-- JSON: numbers of those to be done; NULL: all
	plan	TEXT,			-- JSON: what the tool found when it looked
	approval TEXT,			-- that allowed it, if one was needed
	state	TEXT NOT NULL CHECK (state IN ('intent', 'succeeded', 'partial',
		'failed', 'skipped', 'unknown')),
	outcome	TEXT,			-- JSON: actual result, ids
	intent_ms INTEGER NOT NULL,
	outcome_ms INTEGER,
	PRIMARY KEY (task, call),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE,
	CHECK ((state = 'intent') = (outcome_ms IS NULL)),
	CHECK (outcome IS NOT NULL OR state IN ('intent', 'skipped', 'unknown'))
) STRICT;
CREATE INDEX receipt_open ON receipt(state) WHERE state IN ('intent', 'unknown');

CREATE TABLE receipt_part (		-- one request of a change that takes several
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	n	INTEGER NOT NULL,	-- from 1 in its call
	text	TEXT,			-- the request in words
	state	TEXT NOT NULL CHECK (state IN
		('intent', 'succeeded', 'failed', 'unknown')),
	outcome	TEXT,			-- JSON
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, call, n),
	FOREIGN KEY (task, call) REFERENCES receipt ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE settlement (		-- how an unknown receipt was settled
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	kind	TEXT NOT NULL CHECK (kind IN ('verified', 'attested')),
	happened INTEGER NOT NULL CHECK (happened IN (0, 1)),
	actor	TEXT NOT NULL,
	text	TEXT NOT NULL,		-- what was read, or what a person checked
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, call),
	FOREIGN KEY (task, call) REFERENCES receipt ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

INSERT INTO receipt (task, call, capability, arguments, nonce, text, state,
	outcome, intent_ms, outcome_ms) SELECT task, call, capability, arguments,
	nonce, capability, state, CASE WHEN state IN ('succeeded', 'failed')
	THEN ifnull(outcome, 'null') ELSE outcome END, intent_ms, outcome_ms
	FROM receipt_old;
INSERT INTO receipt_part (task, call, n, state, outcome, at_ms)
	SELECT task, call, n, state, outcome, at_ms FROM part_old;
INSERT INTO settlement (task, call, kind, happened, actor, text, at_ms)
	SELECT task, call, kind, happened <> 0, actor, text, at_ms
	FROM settlement_old;
DROP TABLE settlement_old;
DROP TABLE part_old;
DROP TABLE receipt_old;

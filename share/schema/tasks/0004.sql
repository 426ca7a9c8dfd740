-- One approval covers the changes of a reply, item by item. To approve what
-- can't be taken back takes saying so twice; the first time is stored, too.

ALTER TABLE approval RENAME TO single;

CREATE TABLE approval (
	id	TEXT PRIMARY KEY,
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	turn	TEXT NOT NULL,
	text	TEXT NOT NULL,		-- all of it in words, as it was shown
	asked	TEXT NOT NULL,		-- the only one who decides it
	asked_ms INTEGER NOT NULL,
	expires_ms INTEGER NOT NULL,	-- nobody decides it from then on
	confirming_ms INTEGER,		-- approved once, of twice
	verdict	TEXT CHECK (verdict IN ('approve', 'deny', 'correct', 'stop',
		'expired', 'invalid')),	-- NULL while it is pending
	remark	TEXT,			-- the text of a correction
	decider	TEXT,			-- NULL if nobody decided it
	decided_ms INTEGER,
	CHECK ((verdict IS NULL) = (decided_ms IS NULL))
) STRICT;

CREATE TABLE approval_item (
	approval TEXT NOT NULL REFERENCES approval ON DELETE CASCADE,
	i	INTEGER NOT NULL,	-- from 1, as they are shown
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	n	INTEGER NOT NULL,	-- within its call, from 1; 0: all of it
	capability TEXT NOT NULL,
	tier	TEXT NOT NULL,
	confirm	INTEGER NOT NULL,
	arguments TEXT,			-- JSON; at the first item of a call
	category TEXT NOT NULL,
	text	TEXT NOT NULL,
	chosen	INTEGER NOT NULL DEFAULT 1,
	PRIMARY KEY (approval, i),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX approval_item_call ON approval_item(task, call);

INSERT INTO approval (id, task, turn, text, asked, asked_ms, expires_ms,
	verdict, remark, decided_ms)
	SELECT s.id, s.task, r.turn, s.text, s.asked, s.asked_ms, s.asked_ms,
	s.verdict, s.remark, s.decided_ms FROM single s
	JOIN call c ON c.task = s.task AND c.n = s.call
	JOIN round r ON r.task = c.task AND r.n = c.round;
INSERT INTO approval_item (approval, i, task, call, n, capability, tier,
	confirm, arguments, category, text)
	SELECT s.id, 1, s.task, s.call, 0, c.capability, c.tier, 0, c.arguments,
	c.capability, s.text FROM single s
	JOIN call c ON c.task = s.task AND c.n = s.call;
DROP TABLE single;

CREATE INDEX approval_task ON approval(task);
CREATE INDEX approval_pending ON approval(task) WHERE verdict IS NULL;

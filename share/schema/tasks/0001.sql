-- tasks.sqlite: what was asked, what is being done about it, and what it cost.
-- Times are ms since 1970 UTC. A location is 'local', 'dm:CHANNEL' or
-- 'guild:GUILD:CHANNEL'; an actor 'local' or a Discord id.

CREATE TABLE task (
	id	TEXT PRIMARY KEY,
	owner	TEXT NOT NULL,
	owner_name TEXT NOT NULL,
	location TEXT NOT NULL,
	visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
	objective TEXT NOT NULL,	-- the first request; never rewritten
	approval TEXT NOT NULL CHECK (approval IN ('ask', 'auto')),
	profile	TEXT NOT NULL,
	state	TEXT NOT NULL CHECK (state IN
		('running', 'paused', 'completed', 'cancelled', 'failed')),
	reason	TEXT,			-- why it is paused, or has failed
	calls	INTEGER NOT NULL DEFAULT 0,	-- numbered so far; never less
	control	INTEGER NOT NULL DEFAULT 0,	-- control rows handled, up to this id
	created_ms INTEGER NOT NULL,
	changed_ms INTEGER NOT NULL,	-- when its state last changed
	CHECK ((state IN ('paused', 'failed')) = (reason IS NOT NULL))
) STRICT;
CREATE INDEX task_owner ON task(owner, location);
CREATE INDEX task_state ON task(state) WHERE state IN ('running', 'paused');

CREATE TABLE turn (
	id	TEXT PRIMARY KEY,
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	n	INTEGER NOT NULL,	-- from 1 in its task
	actor	TEXT NOT NULL,
	actor_name TEXT NOT NULL,
	text	TEXT NOT NULL,
	record	TEXT NOT NULL,		-- JSON: the turn record as it came
	state	TEXT NOT NULL CHECK (state IN
		('running', 'answered', 'paused', 'failed', 'cancelled')),
	answer	TEXT,			-- what was said to the person at its end
	started_ms INTEGER NOT NULL,
	ended_ms INTEGER,
	UNIQUE (task, n),
	CHECK ((state = 'running') = (ended_ms IS NULL))
) STRICT;

CREATE TABLE claim (			-- what started a turn may not start another
	key	TEXT PRIMARY KEY,	-- 'message:ID', 'interaction:ID', 'turn:ID', ...
	turn	TEXT NOT NULL,		-- outlives the task: a forgotten one stays done
	at_ms	INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE event (			-- what happened to a task, in order
	id	INTEGER PRIMARY KEY AUTOINCREMENT,
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	turn	TEXT,
	kind	TEXT NOT NULL,
	text	TEXT,
	at_ms	INTEGER NOT NULL
) STRICT;
CREATE INDEX event_task ON event(task, id);

CREATE TABLE control (			-- what people and deletions tell a runner
	id	INTEGER PRIMARY KEY AUTOINCREMENT,	-- read after the last one seen
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	kind	TEXT NOT NULL CHECK (kind IN
		('steer', 'stop', 'decision', 'invalidate')),
	actor	TEXT NOT NULL,		-- who decided it
	actor_name TEXT NOT NULL,
	text	TEXT,			-- of a steer; else why
	data	TEXT,			-- JSON: what a decision or an invalidation is about
	at_ms	INTEGER NOT NULL
) STRICT;
CREATE INDEX control_task ON control(task, id);

CREATE TABLE plan (
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	version	INTEGER NOT NULL,	-- from 1
	text	TEXT NOT NULL,
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, version)
) STRICT;

CREATE TABLE note (
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	n	INTEGER NOT NULL,	-- from 1 in its task
	text	TEXT NOT NULL,
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, n)
) STRICT;

CREATE TABLE goal (
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	n	INTEGER NOT NULL,	-- from 1 in its task
	text	TEXT NOT NULL,
	state	TEXT NOT NULL CHECK (state IN
		('open', 'in_progress', 'blocked', 'done')),
	remark	TEXT,			-- what blocks it, or how it was done
	created_ms INTEGER NOT NULL,
	changed_ms INTEGER NOT NULL,
	PRIMARY KEY (task, n)
) STRICT;

CREATE TABLE round (			-- what a model said when it asked for calls
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	n	INTEGER NOT NULL,	-- from 1 in its task
	turn	TEXT NOT NULL REFERENCES turn ON DELETE CASCADE,
	message	TEXT NOT NULL,		-- JSON: the assistant's message of a request record
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, n)
) STRICT;

CREATE TABLE call (			-- TASK.N
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	n	INTEGER NOT NULL,
	round	INTEGER NOT NULL,
	capability TEXT NOT NULL,
	arguments TEXT NOT NULL,	-- JSON
	tier	TEXT NOT NULL CHECK (tier IN
		('read', 'scratch', 'write', 'destructive')),
	state	TEXT NOT NULL CHECK (state IN
		('open', 'ok', 'error', 'skipped', 'unknown')),
	summary	TEXT,
	output	TEXT,			-- JSON: the whole result or error record
	started_ms INTEGER NOT NULL,
	ended_ms INTEGER,
	PRIMARY KEY (task, n),
	FOREIGN KEY (task, round) REFERENCES round(task, n) ON DELETE CASCADE,
	CHECK ((state = 'open') = (ended_ms IS NULL))
) STRICT;
CREATE INDEX call_round ON call(task, round);

CREATE TABLE source (			-- outside text a task has read
	id	INTEGER PRIMARY KEY,
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	kind	TEXT NOT NULL,		-- 'message', 'page', 'image', 'frame', 'transcript'
	url	TEXT NOT NULL,
	revision TEXT NOT NULL,		-- EDITEDMS-DIGEST; '' if it has none
	channel	TEXT,			-- its id, for the audience
	channel_name TEXT,
	author	TEXT,
	author_name TEXT,
	written_ms INTEGER,
	text	TEXT NOT NULL,
	gone_ms	INTEGER,		-- deleted or unreadable since; text is empty then
	UNIQUE (task, url, revision)
) STRICT;
CREATE INDEX source_url ON source(url);

CREATE TABLE evidence (			-- which call brought which source
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	source	INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
	PRIMARY KEY (task, call, source),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX evidence_source ON evidence(source);

CREATE TABLE receipt (			-- a change: intent first, then its outcome
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	capability TEXT NOT NULL,
	arguments TEXT NOT NULL,	-- JSON, exactly what was validated
	nonce	TEXT NOT NULL UNIQUE,
	state	TEXT NOT NULL CHECK (state IN
		('intent', 'succeeded', 'failed', 'skipped', 'unknown')),
	outcome	TEXT,			-- JSON: actual result, ids
	intent_ms INTEGER NOT NULL,
	outcome_ms INTEGER,
	PRIMARY KEY (task, call),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE,
	CHECK ((state = 'intent') = (outcome_ms IS NULL))
) STRICT;
CREATE INDEX receipt_open ON receipt(state) WHERE state IN ('intent', 'unknown');

CREATE TABLE receipt_part (		-- one request of a change that takes several
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	n	INTEGER NOT NULL,
	state	TEXT NOT NULL CHECK (state IN
		('intent', 'succeeded', 'failed', 'unknown')),
	outcome	TEXT,
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, call, n),
	FOREIGN KEY (task, call) REFERENCES receipt ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE settlement (		-- how an unknown receipt was settled
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	kind	TEXT NOT NULL CHECK (kind IN ('verified', 'attested')),
	happened INTEGER NOT NULL,	-- 1 the effect is there, 0 it is not
	actor	TEXT NOT NULL,
	text	TEXT NOT NULL,		-- what was read, or what a person checked
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, call),
	FOREIGN KEY (task, call) REFERENCES receipt ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE approval (			-- asked and decided; never authority later
	id	TEXT PRIMARY KEY,
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	text	TEXT NOT NULL,		-- the operation and target as they were shown
	asked	TEXT NOT NULL,		-- the only one who decides it
	asked_ms INTEGER NOT NULL,
	verdict	TEXT CHECK (verdict IN ('approve', 'deny', 'correct', 'stop',
		'expired', 'invalid')),	-- NULL while it is pending
	remark	TEXT,			-- the text of a correction
	decided_ms INTEGER,
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE,
	CHECK ((verdict IS NULL) = (decided_ms IS NULL))
) STRICT;
CREATE INDEX approval_call ON approval(task, call);
CREATE INDEX approval_pending ON approval(task) WHERE verdict IS NULL;

CREATE TABLE outbox (			-- what is to be delivered, and what became of it
	id	INTEGER PRIMARY KEY AUTOINCREMENT,
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	turn	TEXT NOT NULL,
	location TEXT NOT NULL,
	visibility TEXT NOT NULL CHECK (visibility IN ('public', 'private')),
	kind	TEXT NOT NULL CHECK (kind IN ('answer', 'paused', 'error')),
	record	TEXT NOT NULL,		-- JSON: the record to deliver
	state	TEXT NOT NULL CHECK (state IN
		('pending', 'delivered', 'failed', 'unknown')),
	at_ms	INTEGER NOT NULL,
	settled_ms INTEGER,
	CHECK ((state = 'pending') = (settled_ms IS NULL))
) STRICT;
CREATE INDEX outbox_pending ON outbox(id) WHERE state = 'pending';
CREATE INDEX outbox_task ON outbox(task);

CREATE TABLE usage (			-- one attempt that left the machine
	id	INTEGER PRIMARY KEY,
	task	TEXT,			-- NULL for work without a task
	actor	TEXT,
	profile	TEXT NOT NULL,
	model	TEXT NOT NULL,
	purpose	TEXT NOT NULL,		-- 'task', 'compaction', 'transcription', ...
	state	TEXT NOT NULL CHECK (state IN
		('sent', 'ok', 'error', 'cancelled', 'unknown')),
	input	INTEGER,		-- tokens as reported; NULL is not known
	output	INTEGER,
	cached	INTEGER,
	reasoning INTEGER,
	cost	TEXT,			-- decimal, in the currency of the profile's price
	estimated INTEGER NOT NULL DEFAULT 0,	-- 1 if cost is our own estimate
	sent_ms	INTEGER NOT NULL,
	ended_ms INTEGER,
	CHECK ((state = 'sent') = (ended_ms IS NULL))
) STRICT;
CREATE INDEX usage_task ON usage(task);
CREATE INDEX usage_actor ON usage(actor, sent_ms);
CREATE INDEX usage_sent ON usage(sent_ms);

CREATE TABLE forgotten (		-- late jobs may not bring it back
	task	TEXT PRIMARY KEY,
	at_ms	INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

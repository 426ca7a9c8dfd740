-- The workspace: files, artifacts and pictures of a task, and their contents by
-- what they are, so that the same bytes are kept once.

CREATE TABLE content (
	hash	TEXT PRIMARY KEY,	-- SHA-256 in hexadecimal
	size	INTEGER NOT NULL,
	bytes	BLOB			-- NULL: too large, it lies in blob/
) STRICT, WITHOUT ROWID;

CREATE TABLE blob_gone (		-- files in blob/ that nothing needs, which
	hash	TEXT PRIMARY KEY	-- are still to be removed
) STRICT, WITHOUT ROWID;

CREATE TABLE file (			-- in the workspace of a task
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	path	TEXT NOT NULL,
	hash	TEXT NOT NULL REFERENCES content,
	size	INTEGER NOT NULL,
	media	TEXT NOT NULL,		-- its type, by its bytes
	origin	TEXT NOT NULL CHECK (origin IN ('put', 'import', 'call')),
	call	INTEGER,		-- that imported or made it
	actor	TEXT,			-- who put it there by hand
	url	TEXT,			-- the message that it was attached to,
	revision TEXT,			-- in this revision,
	channel	TEXT,			-- in this channel,
	attachment TEXT,		-- and there its id
	message	TEXT GENERATED ALWAYS AS (CASE WHEN url LIKE
		'https://discord.com/channels/%'
		THEN replace(url, rtrim(url, '0123456789'), '') END) VIRTUAL,
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, path),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE,
	CHECK (origin <> 'call' OR call IS NOT NULL),
	CHECK (origin <> 'import' OR url IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX file_hash ON file(hash);
CREATE INDEX file_message ON file(message) WHERE message IS NOT NULL;
CREATE INDEX file_channel ON file(channel) WHERE channel IS NOT NULL;

CREATE TABLE file_input (		-- what a call could read, as it was then
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	path	TEXT NOT NULL,
	hash	TEXT NOT NULL,		-- its content may be gone since
	made_by	INTEGER,		-- the call that it was from, if it was
	url	TEXT,			-- the message that it was from, if it was
	channel	TEXT,
	message	TEXT GENERATED ALWAYS AS (CASE WHEN url LIKE
		'https://discord.com/channels/%'
		THEN replace(url, rtrim(url, '0123456789'), '') END) VIRTUAL,
	PRIMARY KEY (task, call, path),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX file_input_message ON file_input(message)
	WHERE message IS NOT NULL;
CREATE INDEX file_input_channel ON file_input(channel)
	WHERE channel IS NOT NULL;

CREATE TABLE artifact (			-- a version of what a call handed over
	id	TEXT NOT NULL,		-- the same for all of its versions
	version	INTEGER NOT NULL,	-- from 1
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	call	INTEGER NOT NULL,
	filename TEXT NOT NULL,
	media	TEXT NOT NULL,
	kind	TEXT NOT NULL,		-- 'image', 'audio', 'text', ...
	size	INTEGER NOT NULL,
	hash	TEXT NOT NULL REFERENCES content,
	wire	TEXT REFERENCES content,	-- the copy that models are shown
	wire_media TEXT,
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (id, version),
	UNIQUE (task, filename, version),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE,
	CHECK ((wire IS NULL) = (wire_media IS NULL))
) STRICT;				-- its rowid is the order they came in
CREATE INDEX artifact_hash ON artifact(hash);
CREATE INDEX artifact_wire ON artifact(wire) WHERE wire IS NOT NULL;
CREATE INDEX artifact_call ON artifact(task, call);

CREATE TABLE artifact_last (		-- its versions up to this one were given
	id	TEXT PRIMARY KEY,	-- out, and some of them are gone
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	version	INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE preview (			-- a picture or sound that a call gave to a model
	task	TEXT NOT NULL,
	call	INTEGER NOT NULL,
	n	INTEGER NOT NULL,	-- from 1 in its call
	kind	TEXT NOT NULL CHECK (kind IN ('image', 'frame', 'sound')),
	name	TEXT NOT NULL,		-- of the file that it shows
	offset_ms INTEGER,		-- of a frame in its video, of a sound
	media	TEXT NOT NULL,
	size	INTEGER NOT NULL,
	hash	TEXT NOT NULL REFERENCES content,
	PRIMARY KEY (task, call, n),
	FOREIGN KEY (task, call) REFERENCES call(task, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX preview_hash ON preview(hash);

-- Where a file that was attached to a message was shown: what came later, or in
-- the midst of a round could read it, may hold of it.
CREATE VIEW file_reach (task, message, channel, round, turn) AS
	SELECT f.task, f.message, f.channel, c.round + 1, t.n
		FROM file f JOIN call c ON c.task = f.task AND c.n = f.call
		JOIN round r ON r.task = c.task AND r.n = c.round
		JOIN turn t ON t.id = r.turn
	UNION ALL
	SELECT f.task, f.message, f.channel,
		ifnull((SELECT min(n) FROM round WHERE task = f.task
			AND at_ms >= f.at_ms), 9223372036854775807),
		ifnull((SELECT max(n) FROM turn WHERE task = f.task
			AND started_ms <= f.at_ms), 1)
		FROM file f WHERE f.call IS NULL
	UNION ALL
	SELECT i.task, i.message, i.channel, c.round, t.n
		FROM file_input i JOIN call c ON c.task = i.task AND c.n = i.call
		JOIN round r ON r.task = c.task AND r.n = c.round
		JOIN turn t ON t.id = r.turn;

-- A content goes with the last row that refers to it, whatever deletes that;
-- its file in blob/ goes after the commit.
CREATE VIEW content_use AS
	SELECT hash FROM file UNION ALL SELECT hash FROM artifact UNION ALL
	SELECT wire FROM artifact WHERE wire IS NOT NULL UNION ALL
	SELECT hash FROM preview;
CREATE TRIGGER file_gone AFTER DELETE ON file BEGIN
	DELETE FROM content WHERE hash = old.hash AND NOT EXISTS
		(SELECT 1 FROM content_use u WHERE u.hash = old.hash);
END;
CREATE TRIGGER file_changed AFTER UPDATE OF hash ON file
	WHEN old.hash <> new.hash BEGIN
	DELETE FROM content WHERE hash = old.hash AND NOT EXISTS
		(SELECT 1 FROM content_use u WHERE u.hash = old.hash);
END;
CREATE TRIGGER artifact_gone AFTER DELETE ON artifact BEGIN
	DELETE FROM content WHERE hash IN (old.hash, old.wire) AND NOT EXISTS
		(SELECT 1 FROM content_use u WHERE u.hash = content.hash);
END;
CREATE TRIGGER artifact_wired AFTER UPDATE OF wire ON artifact
	WHEN old.wire <> ifnull(new.wire, '') BEGIN
	DELETE FROM content WHERE hash = old.wire AND NOT EXISTS
		(SELECT 1 FROM content_use u WHERE u.hash = old.wire);
END;
CREATE TRIGGER preview_gone AFTER DELETE ON preview BEGIN
	DELETE FROM content WHERE hash = old.hash AND NOT EXISTS
		(SELECT 1 FROM content_use u WHERE u.hash = old.hash);
END;
CREATE TRIGGER content_gone AFTER DELETE ON content
	WHEN old.bytes IS NULL BEGIN
	INSERT OR IGNORE INTO blob_gone (hash) VALUES (old.hash);
END;
CREATE TRIGGER content_back AFTER INSERT ON content BEGIN
	DELETE FROM blob_gone WHERE hash = new.hash;
END;

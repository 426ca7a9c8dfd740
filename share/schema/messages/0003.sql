-- What Discord tells of a guild besides its messages, and how far its history
-- is known. Times are ms since 1970 UTC; a column _ms that is NULL was never told.

ALTER TABLE guild ADD COLUMN owner INTEGER;	-- id of a user
ALTER TABLE guild ADD COLUMN shard INTEGER;	-- whose gateway session tells of it
ALTER TABLE guild ADD COLUMN as_of_ms INTEGER;	-- when Discord told its structure
ALTER TABLE guild ADD COLUMN gone_ms INTEGER;	-- Sophia is not in it since

ALTER TABLE channel ADD COLUMN kind INTEGER;	-- Discord's channel type number
ALTER TABLE channel ADD COLUMN position INTEGER;
ALTER TABLE channel ADD COLUMN nsfw INTEGER;
ALTER TABLE channel ADD COLUMN owner INTEGER;	-- who made the thread
ALTER TABLE channel ADD COLUMN archived INTEGER;	-- of a thread, as the next two
ALTER TABLE channel ADD COLUMN locked INTEGER;
ALTER TABLE channel ADD COLUMN archived_ms INTEGER;
ALTER TABLE channel ADD COLUMN last INTEGER;	-- id of its newest message, then
ALTER TABLE channel ADD COLUMN as_of_ms INTEGER;	-- when Discord told all this
-- Why its history can't be read, as Discord or the permissions say; NULL if it can.
ALTER TABLE channel ADD COLUMN forbidden TEXT;
ALTER TABLE channel ADD COLUMN forbidden_ms INTEGER;
-- Live events of it come since then, and so far without a break.
ALTER TABLE channel ADD COLUMN live_ms INTEGER;
-- From this message id on they are complete, up to live.high; NULL while not known.
ALTER TABLE channel ADD COLUMN live_low INTEGER;

ALTER TABLE role ADD COLUMN permissions INTEGER;	-- 64 bits; NULL while not told
ALTER TABLE role ADD COLUMN as_of_ms INTEGER;

ALTER TABLE member ADD COLUMN roles_ms INTEGER;	-- member_role is as of then, and whole
ALTER TABLE member ADD COLUMN timeout_ms INTEGER;	-- may not speak until then
ALTER TABLE member ADD COLUMN left_ms INTEGER;	-- is no member since

CREATE TABLE overwrite (		-- who may do what in a channel, unlike elsewhere
	channel	INTEGER NOT NULL,	-- channel.ord
	target	INTEGER NOT NULL,	-- id of a role or a user
	is_member INTEGER NOT NULL,	-- 1 if it is a user
	allow	INTEGER NOT NULL,	-- 64 bits each
	deny	INTEGER NOT NULL,
	PRIMARY KEY (channel, target)
) STRICT, WITHOUT ROWID;

CREATE TABLE thread_member (		-- who is known to be in a thread
	channel	INTEGER NOT NULL,	-- channel.ord
	user	INTEGER NOT NULL,	-- id
	PRIMARY KEY (channel, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE live (			-- how far the spool of a shard was read
	shard	INTEGER PRIMARY KEY,
	number	INTEGER NOT NULL,	-- of the last event whose effects are here
	sequence INTEGER NOT NULL,	-- Discord's, of the same
	at_ms	INTEGER NOT NULL,	-- when that came
	high	INTEGER NOT NULL	-- id of the newest message it told of
) STRICT;

-- An event about a message may be told twice, or be counted by a page already.
CREATE TABLE touched (
	message	INTEGER PRIMARY KEY,	-- id
	event_ms INTEGER NOT NULL,	-- when an event last changed it, but for its edits
	page_ms	INTEGER NOT NULL	-- when a page that counted was asked for
) STRICT;

CREATE TABLE reaction (			-- what one user's mark on a message was last
	message	INTEGER NOT NULL,
	emoji	TEXT NOT NULL,		-- its id or name; 'vote:N' for the answer of a poll
	user	INTEGER NOT NULL,
	is_on	INTEGER NOT NULL,
	PRIMARY KEY (message, emoji, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone_channel (	-- deleted with all that was in it
	id	INTEGER PRIMARY KEY,	-- a thread may have the id of a message
	at_ms	INTEGER NOT NULL
) STRICT;

CREATE TABLE notice (			-- changed messages, until tasks were told
	id	INTEGER PRIMARY KEY AUTOINCREMENT,
	guild	INTEGER NOT NULL,	-- ids; 0 for direct messages
	channel	INTEGER NOT NULL,
	message	INTEGER NOT NULL
) STRICT;

CREATE TABLE crawl (			-- channels whose history is wanted
	channel	INTEGER PRIMARY KEY,	-- id
	low	INTEGER NOT NULL,	-- back to this message id; 0 for all of it
	threads	INTEGER NOT NULL,	-- 1: its threads, too
	queued_ms INTEGER NOT NULL,
	done_ms	INTEGER			-- since then it is complete as far as it can be
) STRICT;

CREATE TABLE listing (			-- how far the archived threads of a channel are listed
	channel	INTEGER NOT NULL,	-- id
	kind	TEXT NOT NULL CHECK (kind IN ('public', 'private', 'joined')),
	before	TEXT NOT NULL,		-- go on before this; '' to begin with the newest
	done_ms	INTEGER,		-- it was listed to its end
	PRIMARY KEY (channel, kind)
) STRICT, WITHOUT ROWID;

CREATE VIEW covered(channel, low, high) AS	-- coverage, with what comes live
	SELECT channel, low, high FROM coverage
	UNION ALL
	SELECT c.ord, c.live_low, max(c.live_low, coalesce(l.high, 0))
	FROM channel c JOIN guild g ON g.id = c.guild
	LEFT JOIN live l ON l.shard = g.shard
	WHERE c.live_low IS NOT NULL;

CREATE INDEX channel_live ON channel(guild) WHERE live_ms IS NOT NULL;

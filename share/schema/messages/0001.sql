-- messages.sqlite: what is known of the guilds, and every message indexed.
-- Rebuildable: `sophia index reset` empties it.

CREATE TABLE meta (			-- one row a fact about the index itself
	name	TEXT PRIMARY KEY,	-- lib/store/meta.h lists them
	value	TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE guild (
	id	INTEGER PRIMARY KEY,	-- snowflake; 0 stands for direct messages
	name	TEXT NOT NULL,
	icon_url TEXT
) STRICT;

CREATE TABLE channel (
	ord	INTEGER PRIMARY KEY,	-- dense, from 1, never used again
	id	INTEGER NOT NULL UNIQUE,	-- snowflake
	guild	INTEGER NOT NULL REFERENCES guild,
	parent	INTEGER,		-- snowflake: the category, or a thread's channel
	type	TEXT NOT NULL,		-- as the exporter says: 'GuildTextChat', ...
	name	TEXT NOT NULL,
	topic	TEXT,
	language TEXT NOT NULL DEFAULT ''	-- ISO 639-1; '' while not known, 'und' if unclear
) STRICT;
CREATE INDEX channel_parent ON channel(parent);

CREATE TABLE role (
	id	INTEGER PRIMARY KEY,
	guild	INTEGER NOT NULL REFERENCES guild,
	name	TEXT NOT NULL,
	color	TEXT,
	position INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE author (
	ord	INTEGER PRIMARY KEY,	-- dense, from 1
	id	INTEGER NOT NULL UNIQUE,	-- snowflake
	name	TEXT NOT NULL,		-- username
	discriminator TEXT,
	display	TEXT,			-- global display name; NULL if none is known
	is_bot	INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE member (			-- an author in a guild
	author	INTEGER NOT NULL REFERENCES author(ord),
	guild	INTEGER NOT NULL REFERENCES guild,
	nickname TEXT,
	color	TEXT,
	seen	INTEGER NOT NULL,	-- id of the newest message this is known from
	PRIMARY KEY (author, guild)
) STRICT, WITHOUT ROWID;

CREATE TABLE member_role (
	author	INTEGER NOT NULL,
	guild	INTEGER NOT NULL,
	role	INTEGER NOT NULL REFERENCES role,
	PRIMARY KEY (author, guild, role)
) STRICT, WITHOUT ROWID;

CREATE TABLE author_name (		-- every name an author was ever seen with
	folded	TEXT NOT NULL,		-- as text_fold() gives it: what look-ups compare
	author	INTEGER NOT NULL REFERENCES author(ord),
	name	TEXT NOT NULL,		-- as it was written
	kind	TEXT NOT NULL,		-- 'username', 'nickname', 'display'
	guild	INTEGER NOT NULL,	-- 0 for names that hold everywhere
	seen	INTEGER NOT NULL,	-- id of the newest message it was seen with
	PRIMARY KEY (folded, author, kind, guild, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
	ord	INTEGER PRIMARY KEY,	-- dense: rowid of the full-text row; never used again
	id	INTEGER NOT NULL UNIQUE,	-- snowflake: order in time
	channel	INTEGER NOT NULL,	-- channel.ord
	author	INTEGER NOT NULL,	-- author.ord
	kind	INTEGER NOT NULL,	-- Discord's message type number; 0 is an ordinary one
	flags	INTEGER NOT NULL,	-- 1 pinned, 2 has attachments, 4 has embeds, 8 was edited
	reply	INTEGER,		-- id of the message it answers
	edited	INTEGER,		-- ms since 1970; NULL if never
	language TEXT,			-- its tokens were made for this one; NULL if none was known
	text	TEXT NOT NULL,		-- content as people wrote it
	more	TEXT			-- JSON: attachments, embeds, stickers, reactions, mentions, ...; NULL for none
) STRICT;
CREATE INDEX message_channel ON message(channel, id);
CREATE INDEX message_author ON message(author, id);
CREATE INDEX message_reply ON message(reply) WHERE reply IS NOT NULL;

-- What FTS5 holds are tokens that ext/text made, separated by spaces.
CREATE VIRTUAL TABLE message_fts USING fts5(
	tokens, content='', columnsize=0,
	tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~'"
);
INSERT INTO message_fts(message_fts, rank) VALUES ('automerge', 8);

CREATE TABLE chunk (			-- for ranking: 1024 ordinals a row, from no * 1024
	no	INTEGER PRIMARY KEY,
	lengths	BLOB NOT NULL,		-- a byte each: tokens of the message, 0 if deleted, capped at 255
	channels BLOB NOT NULL		-- 4 bytes each, little-endian: channel.ord, 0 if deleted
) STRICT;

CREATE TABLE coverage (			-- ranges of ids known to be complete in a channel
	channel	INTEGER NOT NULL,	-- channel.ord
	low	INTEGER NOT NULL,	-- ids, both included
	high	INTEGER NOT NULL,
	source	TEXT NOT NULL,		-- 'import', 'backfill', 'gateway'
	PRIMARY KEY (channel, low)
) STRICT, WITHOUT ROWID;

CREATE TABLE tombstone (		-- deleted: an import may not bring it back
	id	INTEGER PRIMARY KEY,
	at_ms	INTEGER NOT NULL
) STRICT;

CREATE TABLE import (			-- how far a file was read, for --resume
	path	TEXT PRIMARY KEY,	-- canonical
	size	INTEGER NOT NULL,
	mtime_ms INTEGER NOT NULL,
	head	TEXT NOT NULL,		-- fingerprint of its first 64 KiB, in hex
	offset	INTEGER NOT NULL,	-- bytes whose messages are committed
	done	INTEGER NOT NULL,	-- 1 when it was read to its end
	at_ms	INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

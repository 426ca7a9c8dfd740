-- Who may read what has changed: tasks that read there are to look again.
CREATE TABLE recheck (
	guild	INTEGER NOT NULL,	-- id
	user	INTEGER NOT NULL,	-- id; 0: anybody
	PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;

-- Who may correct a public task beside its owner. That one did is known by the
-- control row they left, which stays.

CREATE TABLE collaborator (
	task	TEXT NOT NULL REFERENCES task ON DELETE CASCADE,
	user	TEXT NOT NULL,		-- a Discord id
	at_ms	INTEGER NOT NULL,
	PRIMARY KEY (task, user)
) STRICT, WITHOUT ROWID;

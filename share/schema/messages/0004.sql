-- Events that were missed may have told of people, too: what was known of their
-- roles before that counts no more.
ALTER TABLE guild ADD COLUMN people_ms INTEGER;	-- when events were last missed

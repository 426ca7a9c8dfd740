-- Events that were missed may have told of anything: what was known of a guild
-- before that counts for no permission until it is told again.
ALTER TABLE guild ADD COLUMN people_ms INTEGER;	-- when events were last missed

-- The content id of the scenario that a shared one was made from; '' = none was named.
ALTER TABLE scenarios ADD COLUMN origin TEXT NOT NULL DEFAULT '';

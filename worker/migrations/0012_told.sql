-- What is right is told from a moment on, whatever phase comes later, and until then a class's lab may be locked. A class
-- of before that has come to its run has told it; its lab was never locked.
ALTER TABLE classes ADD COLUMN told_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE classes ADD COLUMN lab_locked INTEGER NOT NULL DEFAULT 0;
UPDATE classes SET told_ms = since_ms WHERE phase IN ('run', 'discuss', 'change', 'closed');

-- The traces of a run's lanes, packed as text (worker/traces.go); '' = too large to keep, or of a sweep.
-- The bounds on cached results count them.
ALTER TABLE runs ADD COLUMN traces TEXT NOT NULL DEFAULT '';

-- A run whose result and traces do not fit into one row: they are '' there, and stand here as BLOBs in the order of n, each
-- called as its column there is. They go with their run.
CREATE TABLE pieces (
  run   TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  n     INTEGER NOT NULL,
  of    TEXT NOT NULL,
  piece BLOB NOT NULL,
  PRIMARY KEY (run, n)
);

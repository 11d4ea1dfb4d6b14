-- Cached results by the content id of their run. A row may be dropped at any time: the run can be
-- simulated again. read_ms is when it was last written or read; sum is the SHA-256 of result.
CREATE TABLE runs (
  id      TEXT PRIMARY KEY,
  sum     TEXT NOT NULL,
  size    INTEGER NOT NULL,
  read_ms INTEGER NOT NULL,
  result  TEXT NOT NULL
);
CREATE INDEX runs_read ON runs (read_ms, id, size);

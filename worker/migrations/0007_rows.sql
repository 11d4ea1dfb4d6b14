-- A row of 1 KB took a page of 4: without a rowid a table is a tree of keys, which stores no more than a quarter of a page
-- in place. read_ms is when a row was last stored or read, to the day; no checksum covers it.
CREATE TABLE scenarios_with_rowid (
  id         TEXT PRIMARY KEY,
  sum        TEXT NOT NULL,
  doc        TEXT NOT NULL,
  created_ms INTEGER NOT NULL,
  read_ms    INTEGER NOT NULL DEFAULT 0
);
INSERT INTO scenarios_with_rowid SELECT id, sum, doc, created_ms, created_ms FROM scenarios ORDER BY created_ms, id;
DROP TABLE scenarios;
ALTER TABLE scenarios_with_rowid RENAME TO scenarios;
CREATE INDEX scenarios_created ON scenarios (created_ms);
ALTER TABLE texts ADD COLUMN read_ms INTEGER NOT NULL DEFAULT 0;

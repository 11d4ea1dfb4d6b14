-- Shared scenarios by content id. Rows are immutable; sum is the SHA-256 of doc.
CREATE TABLE scenarios (
  id         TEXT PRIMARY KEY,
  sum        TEXT NOT NULL,
  title      TEXT NOT NULL,
  doc        TEXT NOT NULL,
  created_ms INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX scenarios_created ON scenarios (created_ms);

-- What people say of a shared scenario (title, question, notes, origin, licence), by its own content id: a link names
-- both, so whoever shares a content first has no say in how others see it. Rows are immutable.
CREATE TABLE texts (
  id         TEXT PRIMARY KEY,
  sum        TEXT NOT NULL,
  doc        TEXT NOT NULL,
  created_ms INTEGER NOT NULL
);
CREATE INDEX texts_created ON texts (created_ms);
-- No link can show these any more. From here on sum covers every column; rows from before have the SHA-256 of doc.
ALTER TABLE scenarios DROP COLUMN title;
ALTER TABLE scenarios DROP COLUMN origin;

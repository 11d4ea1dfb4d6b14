-- A document of more than 64 KiB is kept deflated, as a BLOB in doc; size is how many bytes that has, 0 = doc is the
-- document itself. sum covers the document in either case.
ALTER TABLE scenarios ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
ALTER TABLE texts ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
CREATE INDEX scenarios_large ON scenarios (size) WHERE size > 0;
CREATE INDEX texts_large ON texts (size) WHERE size > 0;
-- How many bytes of those each client has stored in the hour that ends then, by the hash of its token; '' = all who send none.
CREATE TABLE shares (
  who     TEXT PRIMARY KEY,
  bytes   INTEGER NOT NULL,
  ends_ms INTEGER NOT NULL
);

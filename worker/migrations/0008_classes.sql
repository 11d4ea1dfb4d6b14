-- Classes by their code (worker/class). seq is the order of all changes of a class's rows: a row that changes gets the next
-- of its class, so that a board asks for what came after one. key and token are SHA-256 of secrets. Times are Unix
-- milliseconds of the server's clock; everything of a class goes with it.
CREATE TABLE classes (
  id         TEXT PRIMARY KEY,
  seq        INTEGER NOT NULL,
  key        TEXT NOT NULL,
  seed       INTEGER NOT NULL,
  engine     TEXT NOT NULL,
  content    TEXT NOT NULL,
  title      TEXT NOT NULL,
  assignment TEXT NOT NULL,
  truth      TEXT NOT NULL,
  phase      TEXT NOT NULL,
  since_ms   INTEGER NOT NULL,
  ends_ms    INTEGER NOT NULL,
  locked     INTEGER NOT NULL DEFAULT 0,
  revealed   TEXT NOT NULL DEFAULT '[]',
  created_ms INTEGER NOT NULL
);
CREATE INDEX classes_created ON classes (created_ms);
-- n counts the students of a class from 1; their names follow from it and the class's seed.
CREATE TABLE students (
  class     TEXT NOT NULL,
  n         INTEGER NOT NULL,
  seq       INTEGER NOT NULL,
  token     TEXT NOT NULL,
  tag       TEXT NOT NULL,
  joined_ms INTEGER NOT NULL,
  removed   INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (class, n)
);
CREATE INDEX students_token ON students (class, token);
CREATE INDEX students_seq ON students (class, seq);
-- What students handed in; n counts the entries of a student from 0. Only verdict and body of a submission change.
CREATE TABLE entries (
  class   TEXT NOT NULL,
  student INTEGER NOT NULL,
  n       INTEGER NOT NULL,
  seq     INTEGER NOT NULL,
  kind    TEXT NOT NULL,
  at_ms   INTEGER NOT NULL,
  phase   TEXT NOT NULL,
  hash    TEXT NOT NULL,
  verdict TEXT NOT NULL,
  body    TEXT NOT NULL,
  PRIMARY KEY (class, student, n)
);
CREATE INDEX entries_seq ON entries (class, seq);
CREATE INDEX entries_kind ON entries (class, kind, student);
CREATE INDEX entries_pending ON entries (class, seq) WHERE verdict = 'pending';
-- One-time codes by which students come back; the latest of each.
CREATE TABLE passes (
  class   TEXT NOT NULL,
  student INTEGER NOT NULL,
  code    TEXT NOT NULL,
  ends_ms INTEGER NOT NULL,
  PRIMARY KEY (class, student)
);
-- Wrong codes by keyed hashes of network prefixes, for a minute; prefixes from which a class was opened, for a day
-- (failed = 0); and the key of the hashes, for a day (who = 'salt ' and the key). No address can be found out from it.
CREATE TABLE guesses (
  who     TEXT PRIMARY KEY,
  failed  INTEGER NOT NULL,
  ends_ms INTEGER NOT NULL
);

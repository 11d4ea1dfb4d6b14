-- What was asked for and has not ended, and what became of it for a while (worker/queue.Table). seq is the order of
-- arrival and turn the order of work; no column of time orders anything. owner and askers are hashes of tokens:
-- askers of those who want the work, each in brackets; '*' among them = too many to list. status is what is told of
-- it, result the id of its row in runs, '' = not kept there. body is '' once the work has ended.
CREATE TABLE work (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  kind       TEXT NOT NULL,
  state      TEXT NOT NULL,
  owner      TEXT NOT NULL,
  turn       INTEGER NOT NULL,
  size       INTEGER NOT NULL,
  holder     TEXT NOT NULL DEFAULT '',
  lease_ms   INTEGER NOT NULL DEFAULT 0,
  attempts   INTEGER NOT NULL DEFAULT 0,
  created_ms INTEGER NOT NULL,
  result     TEXT NOT NULL DEFAULT '',
  askers     TEXT NOT NULL,
  status     TEXT NOT NULL,
  body       TEXT NOT NULL
);
CREATE INDEX work_turn ON work (state, turn, seq, size);
CREATE INDEX work_owner ON work (owner, state, turn);

-- When a class that is a homework opens and closes: Unix milliseconds of the server's clock, 0 in a class that is led.
ALTER TABLE classes ADD COLUMN opens_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE classes ADD COLUMN closes_ms INTEGER NOT NULL DEFAULT 0;

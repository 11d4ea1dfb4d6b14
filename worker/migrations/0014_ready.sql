-- Which students' phones have the lab's program, or are opening it.
ALTER TABLE students ADD COLUMN ready INTEGER NOT NULL DEFAULT 0;

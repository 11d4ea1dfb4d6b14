-- Which tags alone may join a class, one a line between line ends; '' = every one and none. They go with the class.
ALTER TABLE classes ADD COLUMN tags TEXT NOT NULL DEFAULT '';
-- The hash of the key of a class's assistants; '' = there is none.
ALTER TABLE classes ADD COLUMN assistant TEXT NOT NULL DEFAULT '';

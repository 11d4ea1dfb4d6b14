-- What stands on the walls of a class, as JSON; an empty object is the picture of its phase.
ALTER TABLE classes ADD COLUMN wall TEXT NOT NULL DEFAULT '{}';

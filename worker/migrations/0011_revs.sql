-- What decides is the engine and the revisions of the lanes' policies: those under which a class has found what is right, a
-- list in the order of its assignment's policies. Empty is revision 1 of each, as of every class of before.
ALTER TABLE classes ADD COLUMN revs TEXT NOT NULL DEFAULT '[]';

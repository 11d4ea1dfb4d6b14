package state

// enterClass goes to a class as a student.
func (s *State) enterClass(EnterRoom) []Effect { return nil }

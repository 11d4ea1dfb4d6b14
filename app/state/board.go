package state

// enterBoard goes to the board, or to the page that begins a class.
func (s *State) enterBoard(EnterRoom) []Effect { return nil }

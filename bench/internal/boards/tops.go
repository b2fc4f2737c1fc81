package boards

import "github.com/zrankdb/zrank/engine/board"

// tops is the case of a board of the best 1,000 beside one that ranks everybody, in memory, with n players. Single calls come from one goroutine,
// about random players: of a million, one in a thousand is among the best.
const tops = "top"

// topBoards are the boards of the case, by the prefix of their lines.
var topBoards = []variant{
	{"plain", "everybody", func(int) board.Spec { return lastSpec(nil) }},
	{"best", "the best 1,000", func(int) board.Spec { return lastSpec(&board.Top{N: 1000, Reserve: 250}) }},
}

// lastSpec is the spec of boards whose scores rise and fall.
func lastSpec(top *board.Top) board.Spec {
	s := spec(board.All)
	s.Op, s.Top = board.Last, top
	return s
}

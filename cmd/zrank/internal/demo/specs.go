package demo

import (
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
	"github.com/zrankdb/zrank/engine/board"
)

// demoSpecs are the boards of the game.
var demoSpecs = map[string]board.Spec{
	season.Arena: {Name: season.Arena, Op: board.Sum, Windows: []board.Window{board.All, board.Month, board.Week}},
	season.Speedrun: {Name: season.Speedrun, Op: board.Best, Windows: []board.Window{board.All, board.Week},
		Columns: []board.Column{{Name: "seconds", Kind: board.Float64, Order: board.Asc}}},
	season.Ladder: {Name: season.Ladder, Op: board.Last, Windows: []board.Window{board.All}},
}

// demoBoards are their names, in the order on the screen.
var demoBoards = []string{season.Arena, season.Speedrun, season.Ladder}

// demoMark is the private key that marks the directory of a demo.
const demoMark = "demo"

package demo

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/cmd/zrank/internal/season"
)

// demoSpecs are the boards of the game.
var demoSpecs = map[string]board.Spec{
	season.Arena: {Name: season.Arena, Op: board.Sum, Windows: []board.Window{board.All, board.Month, board.Week}},
	season.Speedrun: {Name: season.Speedrun, Op: board.Best, Windows: []board.Window{board.All, board.Week},
		Columns: []board.Column{{Name: "seconds", Kind: board.Float64, Order: board.Asc}}},
	season.Ladder: {Name: season.Ladder, Op: board.Last, Windows: []board.Window{board.All}},
}

// servedSpecs are the boards of a game whose pages are served: there is a feed, weeks pay awards, and guilds have a ranking.
var servedSpecs = map[string]board.Spec{
	season.Arena: {Name: season.Arena, Op: board.Sum, Windows: []board.Window{board.All, board.Month, board.Week, board.Day}, Feed: &board.Feed{}, Awards: []awards.Plan{
		{Window: "week", Claim: true, Tiers: []awards.Tier{{Name: "gold", From: 1, Payload: "1000 coins"}, {Name: "silver", From: 2, To: 10, Payload: "300 coins"}, {Name: "bronze", From: 11, To: 100, Payload: "50 coins"}}}}},
	season.Speedrun: {Name: season.Speedrun, Op: board.Best, Windows: []board.Window{board.All, board.Week}, Columns: demoSpecs[season.Speedrun].Columns, Feed: &board.Feed{}},
	season.Ladder:   demoSpecs[season.Ladder],
	guildBoard:      {Name: guildBoard, Windows: []board.Window{board.All, board.Month, board.Week, board.Day}, Derived: &board.Derived{From: season.Arena, Groups: guildKind}},
}

// The guilds of a game whose pages are served.
const (
	guildKind  = "guild"
	guildBoard = "guilds"
)

// isOurs reports whether a board is one that a demo makes.
func isOurs(name string) bool {
	_, ours := servedSpecs[name]
	return ours
}

// demoBoards are their names, in the order on the screen.
var demoBoards = []string{season.Arena, season.Speedrun, season.Ladder}

// demoMark is the private key that marks the directory of a demo.
const demoMark = "demo"

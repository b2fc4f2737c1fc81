package board

import (
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

// What a score is, and how it ranks: see package rules.
type (
	Score  = rules.Score
	Value  = rules.Value
	Column = rules.Column
	Op     = rules.Op
	Ties   = rules.Ties
)

// How a board is cut in time: see package window.
type (
	Window = window.Window
	Season = window.Season
)

package script

import (
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/fuzz/internal/boardspecs"
)

// boardInts and boardFloats are values of columns: few, so that scores meet, and some at the ends of their range.
var (
	boardInts = []string{"0", "1", "1", "1", "2", "2", "2", "3", "3", "-1", "-2", "5", "19", "9007199254740993", "9223372036854775807", "-9223372036854775808"}

	boardFloats = []string{"0.0", "1.5", "-1.0", "2.0", "2", "3", "1e+300"}
)

// sleeps are the lengths of sleep in seconds, up to eight days.
var sleeps = []int{-1, 0, 1, 2, 4, 8, 16, 60, 1800, 3600, 18000, 93600, 290000, 700000}

// Players are the members of boards: few, some of them odd. OnceKeys are the Once keys.
var (
	Players  = []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m1", "m2", "m3", "\xff", "two words", ""}
	OnceKeys = []string{"q", "r", "s"}
)

// moderated are the members that operators mostly deal with: few, so that most of those that are banned or hidden come back.
var moderated = []string{"m1", "m1", "m1", "m2", "m2", "m3", "m3", "m4", "two words", "\xff", ""}

// Paid is the private key under which claims write down what they have granted.
const Paid = "paid"

// chooseBoard draws an argument of a board's operation.
func (op *Op) chooseBoard(arg rune, src source) {
	switch arg {
	case 'B':
		op.Key = boardspecs.Names[min(src.draw(len(boardspecs.Names)), src.draw(len(boardspecs.Names)))] // the first most often
		if src.draw(8) == 0 || op.Kind == "migrate" && src.draw(2) == 0 {
			op.Key = boardspecs.Mixed
		}
		if slices.Contains([]string{"claim", "withhold", "release", "resettle"}, op.Kind) {
			op.Key = boardspecs.Awarding
		}
		if slices.Contains([]string{"settier", "league"}, op.Kind) {
			op.Key = boardspecs.Leagued
		}
		if slices.Contains([]string{"revert", "journal"}, op.Kind) {
			op.Key = boardspecs.Logged[src.draw(len(boardspecs.Logged))]
		}
	case 'P':
		op.Member = Players[src.draw(len(Players))]
	case 'M':
		op.Member = moderated[src.draw(len(moderated))]
	case 'Q':
		op.Other = Players[src.draw(len(Players))]
	case 'D':
		op.Low = []string{"", "", "", "", "", "", "", "", "", "", "", "", "dry", "dry", "dry", "anonymous"}[src.draw(16)]
	case 'S':
		op.High = boardScore(op.Key, src)
	case 'Z':
		op.Member = boardScore(op.Key, src)
	case 'A':
		op.Lo = []int{0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -60, -3600, -5400, -90000, 1, 3600}[src.draw(16)]
	case 'O':
		op.Low = []string{"", "", "", "", "", "", "", "once=q", "once=r", "once=s", "if=new", "if=ranked", "if=better", "meta=", "meta=x", "meta=too long"}[src.draw(16)]
	case 'W':
		windows := drawSpec(op.Key, src).Windows
		op.Low = windows[src.draw(len(windows))].Label()
	case 'L':
		op.High = []string{"bronze", "silver", "silver", "gold", "gold", "gold", "wood"}[src.draw(7)]
	case 'X':
		op.High = []string{"", "hat", "red hat"}[src.draw(3)]
	case 'Y':
		op.High = []string{"x", "y"}[src.draw(2)]
	case 'U':
		switch op.Lo = src.draw(12); {
		case op.Kind == "places":
			op.Lo -= 4
		case op.Kind == "migrate" && op.Key == boardspecs.Mixed:
			op.Lo = drawMixed(src)
		}
	case 'T':
		op.Hi = []int{0, -1, -60, -3600, -5400, -90000}[src.draw(6)]
	case 'V':
		op.Hi = op.Lo + src.draw(5)
	}
}

// follows are the operations on a member that often are about the member of an earlier operation of the script, and the kind of that.
var follows = map[string]string{"submit": "submit", "ban": "submit", "hide": "submit", "erase": "submit", "renamed": "submit", "merge": "submit",
	"revert": "submit", "unban": "ban", "show": "hide"}

// follow gives the operation the board and the member of an earlier one, three times out of four; a submission one time out of four.
func (op *Op) follow(script []Op, src source) {
	kind := follows[op.Kind]
	if kind == "" || len(script) == 0 || (src.draw(4) == 0) != (op.Kind == "submit") {
		return
	}
	last := len(script) - src.draw(min(len(script), 100))
	for _, earlier := range slices.Backward(script[:last]) {
		if earlier.Kind != kind || op.Kind == "revert" && !slices.Contains(boardspecs.Logged, earlier.Key) {
			continue
		}
		if op.Key, op.Member = earlier.Key, earlier.Member; op.Kind == "submit" {
			op.High = boardScore(op.Key, src)
		}
		return
	}
}

// drawSpec draws one of a board's specs, mostly its first one.
func drawSpec(name string, src source) board.Spec { return boardspecs.Of(name, max(src.draw(4)-2, 0)) }

// boardScore draws a score for one of a board's specs. A column may have a value of the wrong kind. Computed columns have none, but for one score in
// eight.
func boardScore(name string, src source) string {
	columns := boardspecs.WithDefaults(drawSpec(name, src)).Columns
	isComputed := func(c board.Column) bool { return c.Of != nil }
	if slices.ContainsFunc(columns, isComputed) && src.draw(8) > 0 {
		columns = slices.DeleteFunc(columns, isComputed)
	}
	words := make([]string, len(columns))
	for i, c := range columns {
		words[i] = boardInts[src.draw(len(boardInts))]
		if (c.Kind == board.Float64) != (src.draw(30) == 0) {
			words[i] = boardFloats[src.draw(len(boardFloats))]
		}
		if c.Absent != "" && src.draw(3) == 0 {
			words[i] = "-"
		}
	}
	return strings.Join(words, ",")
}

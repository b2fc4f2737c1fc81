package fuzz

import (
	"strings"
)

// boardKinds are for one board, b. Windows w are named, or "" for the board's first; scores s are columns with commas between them; a
// is how many seconds from now a result happened. u and v are small numbers.
var boardKinds = []kind{
	{"submit", "bpsao", onBoard},         // member p's result; o is nothing, or once=KEY, if=new, if=ranked, if=better, meta=TEXT
	{"batch", "bsuv", onBoard | alone},   // the results of the u-th to the (v-1)-th member, now, in one commit
	{"remove", "bp", onBoard | alone},    // a member, from all that takes results
	{"setmeta", "bwpx", onBoard | alone}, // of an entry of the live period
	{"close", "bw", onBoard | alone},     // the live period, by hand
	{"baseline", "bwy", onBoard | alone}, // saves the live ranking under name y
	{"unbase", "bwy", onBoard | alone},   // drops it
	{"migrate", "bu", onBoard | alone},   // to the board's u-th spec
	{"drop", "bu", onBoard | alone},      // drops the board, and defines it again with its u-th spec
	{"place", "bwp", asks},               // all there is to say of a member in the live ranking
	{"places", "bwuv", asks},             // rows at places u to v of the live ranking
	{"pages", "bwu", asks},               // the whole live ranking in pages of u rows
	{"around", "bwpu", asks},             // u rows on each side of a member
	{"between", "bwsz", asks},            // rows with scores from s to z, and the ranks of a new member with s
	{"ended", "bw", asks},                // the last closed period
	{"period", "bwu", asks},              // the u-th of the periods that hold anybody, from the newest
	{"base", "bwy", asks},                // a baseline
	{"board", "b", asks},                 // everything
}

// asks are the traits of operations that read a board.
const asks = onBoard | reads | alone

// boardMix is what is drawn for boards.
var boardMix = mix("30 submit 5 batch 3 remove setmeta place between sleep 2 close baseline places pages around ended period base begin commit board" +
	" 1 unbase migrate drop rollback panic add addt rem put del get scan keys rank snapshot flush reopen kill cut plant")

// boardScores are columns of scores: few, so that scores meet, some at the ends of their range.
var boardScores = []string{"0", "1", "1", "1", "2", "2", "2", "3", "3", "-1", "-2", "5", "19", "0.0", "1.5", "-1.0", "9007199254740993",
	"9223372036854775807", "-9223372036854775808"}

// players are members of boards: few, and some odd ones. onceKeys are the Once keys.
var (
	players  = []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m1", "m2", "m3", "\xff", "two words", ""}
	onceKeys = []string{"q", "r", "s"}
)

// chooseBoard draws an argument of a board's operation.
func (op *Op) chooseBoard(arg rune, src source) {
	switch arg {
	case 'b':
		op.Key = boardNames[src.draw(len(boardNames))]
	case 'p':
		op.Member = players[src.draw(len(players))]
	case 's':
		op.High = boardScore(op.Key, src)
	case 'z':
		op.Member = boardScore(op.Key, src)
	case 'a':
		if op.Kind == "sleep" {
			op.Lo = []int{1, 60, 1800, 3600, 18000, 93600, 290000, 700000}[src.draw(8)]
			return
		}
		op.Lo = []int{0, 0, 0, 0, 0, 0, -1, -60, -3600, -5400, -7200, -90000, 1, 3600}[src.draw(14)]
	case 'o':
		op.Low = []string{"", "", "", "", "", "", "once=q", "once=r", "once=s", "if=new", "if=ranked", "if=better", "meta=", "meta=x", "meta=too long"}[src.draw(15)]
	case 'w':
		windows := specOf(op.Key, src.draw(2)).Windows
		op.Low = windows[src.draw(len(windows))].Label()
	case 'x':
		op.High = []string{"", "hat", "red hat"}[src.draw(3)]
	case 'y':
		op.High = []string{"x", "y"}[src.draw(2)]
	case 'u':
		if op.Lo = src.draw(12); op.Kind == "places" {
			op.Lo -= 4
		}
	case 'v':
		op.Hi = op.Lo + src.draw(5)
	}
}

// boardScore draws a score of the columns of one of a board's specs.
func boardScore(name string, src source) string {
	columns := max(len(specOf(name, src.draw(2)).Columns), 1)
	words := make([]string, columns)
	for i := range words {
		words[i] = boardScores[src.draw(len(boardScores))]
	}
	return strings.Join(words, ",")
}

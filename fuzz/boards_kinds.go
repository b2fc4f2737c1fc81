package fuzz

import "strings"

// boardKinds are for one board, B. Windows W are named, scores S and Z are columns with commas between them, A is how many seconds from
// now a result happened, U and V are small numbers.
var boardKinds = []kind{
	{"submit", "BPSAO", onBoard},         // member P's result; O is nothing, or once=KEY, if=new, if=ranked, if=better, meta=TEXT
	{"batch", "BSUV", onBoard | alone},   // the results of the U-th to the (V-1)-th member, now, in one commit
	{"remove", "BP", onBoard | alone},    // a member, from all that takes results
	{"setmeta", "BWPX", onBoard | alone}, // of an entry of the live period
	{"close", "BW", onBoard | alone},     // the live period, by hand
	{"baseline", "BWY", onBoard | alone}, // saves the live ranking under name Y
	{"unbase", "BWY", onBoard | alone},   // drops it
	{"migrate", "BU", onBoard | alone},   // to the board's U-th spec
	{"dropboard", "B", onBoard | alone},  // drops the board, and defines it again with its first spec
	{"place", "BWP", asks},               // all there is to say of a member in the live ranking
	{"places", "BWUV", asks},             // rows at places U to V of the live ranking
	{"pages", "BWU", asks},               // the whole live ranking in pages of U rows
	{"around", "BWPU", asks},             // U rows on each side of a member
	{"between", "BWSZ", asks},            // rows with scores from S to Z, and the ranks of a new member with S
	{"ended", "BW", asks},                // the last closed period
	{"period", "BWU", asks},              // the U-th of the periods that hold anybody, from the newest
	{"base", "BWY", asks},                // a baseline
	{"board", "B", asks},                 // everything
}

// asks are the traits of operations that read a board.
const asks = onBoard | reads | alone

// boardMix is what is drawn for boards.
var boardMix = mix("30 submit 5 batch 3 remove setmeta place between 6 sleep 2 close baseline places pages around ended period base begin commit board" +
	" 1 unbase migrate dropboard rollback panic add addt rem put del get scan keys rank snapshot flush reopen kill cut plant evict check")

// boardScores are columns of scores: few, so that scores meet, some at the ends of their range.
var boardScores = []string{"0", "1", "1", "1", "2", "2", "2", "3", "3", "-1", "-2", "5", "19", "0.0", "1.5", "-1.0", "9007199254740993",
	"9223372036854775807", "-9223372036854775808"}

// sleeps are how long scripts sleep, in seconds: up to some days.
var sleeps = []int{-1, 0, 1, 2, 4, 8, 16, 60, 1800, 3600, 18000, 93600, 290000, 700000}

// players are members of boards: few, and some odd ones. onceKeys are the Once keys.
var (
	players  = []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m1", "m2", "m3", "\xff", "two words", ""}
	onceKeys = []string{"q", "r", "s"}
)

// chooseBoard draws an argument of a board's operation.
func (op *Op) chooseBoard(arg rune, src source) {
	switch arg {
	case 'B':
		op.Key = boardNames[src.draw(len(boardNames))]
	case 'P':
		op.Member = players[src.draw(len(players))]
	case 'S':
		op.High = boardScore(op.Key, src)
	case 'Z':
		op.Member = boardScore(op.Key, src)
	case 'A':
		op.Lo = []int{0, 0, 0, 0, 0, 0, -1, -60, -3600, -5400, -7200, -90000, 1, 3600}[src.draw(14)]
	case 'O':
		op.Low = []string{"", "", "", "", "", "", "once=q", "once=r", "once=s", "if=new", "if=ranked", "if=better", "meta=", "meta=x", "meta=too long"}[src.draw(15)]
	case 'W':
		windows := specOf(op.Key, src.draw(2)).Windows
		op.Low = windows[src.draw(len(windows))].Label()
	case 'X':
		op.High = []string{"", "hat", "red hat"}[src.draw(3)]
	case 'Y':
		op.High = []string{"x", "y"}[src.draw(2)]
	case 'U':
		if op.Lo = src.draw(12); op.Kind == "places" {
			op.Lo -= 4
		}
	case 'V':
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

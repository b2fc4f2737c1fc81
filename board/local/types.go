package local

import (
	"context"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/check"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// KeyPrefix begins the keys of all sets of boards.
const KeyPrefix = boardkey.Prefix

// Key is the key of a set of a board, taken apart.
type Key struct {
	Board   string // the board's name
	Kind    string // the name of a window, or .once, .best.WINDOW, .base.WINDOW or another that the package's doc lists
	Period  string // the period's name, or the baseline's; "all" where there is none
	Version int    // of the board: it rises with each migration
}

// ParseKey is the inverse of Key.String, and false for another key. O(length).
func ParseKey(key string) (k Key, ok bool) {
	parsed, ok := boardkey.Parse(key)
	return Key(parsed), ok
}

// String returns the key: board/<name>/<kind>/<period>/v<version>.
func (k Key) String() string { return boardkey.Key(k).String() }

// IsRanking reports whether the key is that of a set of the ranking of a period. O(length).
func (k Key) IsRanking() bool { return boardkey.Key(k).IsRanking() }

// Report is what a check has read, and what it found wrong.
type Report struct {
	engine.Report
	Closed     int // closed periods that have the entries that they had when they were closed
	Unions     int // stored unions that have the entries that they were stored with
	Unrecorded int // closed periods that cannot be compared: a version of zrank that stored no digests closed them
	// OfBoards is how many of the Problems are of boards: what a board keeps does not fit together, and the store may be whole. The others are of the store, and
	// come first.
	OfBoards int
	Rebuilds int // how many of those of boards Board.Rebuild corrects
	// Notes is what may be wrong, and only an operator can know: closed periods of derived boards whose groups have other scores than their present members make.
	Notes []persist.Problem
}

// CheckDir is engine.CheckDir, and compares closed periods as Boards.Check does. If Salvage could copy a closed ranking only in part, the check
// reports it until its board is migrated or the period is dropped. Errors: those of engine.CheckDir. O(bytes).
func CheckDir(ctx context.Context, dir string, o engine.Options, progress func(engine.Report)) (Report, error) {
	r, err := check.CheckDir(ctx, dir, o, progress)
	return Report(r), err
}

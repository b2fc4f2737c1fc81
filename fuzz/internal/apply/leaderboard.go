package apply

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// Leaderboards on an engine. Both machines of a run answer operations through the interfaces below: *board.Board, and oracleBoard,
// which is written from the documentation of package board, in maps that are sorted anew for every question, and uses nothing of it
// but its types: neither its rules nor its calendar.
//
// After a restart the machine is asked for everything, and the answer decides which world the oracle goes on from. So dumpBoard tells
// not only what can be read of a board but what will decide later answers: whether periods are closed by hand that nobody has scored
// in, and which Once keys are known.

// Leaderboard is what operations on a board use: methods of *board.Board.
type Leaderboard interface {
	Submit(sub board.Submission) (board.Change, error)
	SubmitAll(subs []board.Submission) ([]board.Change, error)
	Remove(member string) ([]board.Removed, error)
	SetMeta(window, member string, meta []byte) error
	CloseNow(window string) (board.Info, error)
	SaveBaseline(ctx context.Context, window, name string) error
	DropBaseline(window, name string) error

	Spec() board.Spec
	Version() int
	Live(window string) (board.Ranking, error)
	At(window string, t time.Time) (board.Ranking, error)
	Period(window, period string) (board.Ranking, error)
	LastClosed(window string) (board.Ranking, error)
	Baseline(window, name string) (board.Ranking, error)
	Periods(window string) ([]board.Usage, error)
	Baselines(window string) ([]string, error)
	BestRank(window, member string) (rank int, ok bool, err error)
}

var _ Leaderboard = (*board.Board)(nil)

// Boards are the boards of a machine. All of boardNames are there from the beginning.
type Boards interface {
	Named(name string) (Leaderboard, error)
	MigrateTo(spec board.Spec) error
	Redefine(spec board.Spec) error // drops a board, and defines it anew
	Now() time.Time
}

// WithBoards is a state of a machine of layer board.
type WithBoards interface{ Boards() Boards }

package ops

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// Periods is the periods of a window.
type Periods struct {
	Periods []board.Usage `json:"periods" doc:"Those that have members, in order of time."`
}

// BestRankOf is the best rank of a member.
type BestRankOf struct {
	Rank int `json:"rank" doc:"From 1."`
}

// BaselineArgs is a baseline of a window.
type BaselineArgs struct {
	OnWindow
	Name string `path:"name" doc:"The name of the baseline."`
}

// InWindow is a member in a window.
type InWindow struct {
	OnWindow
	About
}

// Operations on windows: their periods, their ends, their baselines.
var (
	// ListPeriods is board.Board.Periods.
	ListPeriods = onWindow("listPeriods", "GET", "/periods", "BOARD.PERIODS board window", "O(P) for P periods", ToRead, "The periods of a window that have members",
		func(ctx context.Context, e *Env, b board.Board, a *OnWindow) (o Periods, err error) {
			o.Periods, err = b.Periods(ctx, a.Window)
			return o, err
		})
	// ClosePeriod is board.Board.CloseNow.
	ClosePeriod = onWindow("closePeriod", "POST", "/close", "BOARD.CLOSE board window", "O(N) for N members", ToAdminister, "Closes the live period by hand",
		func(ctx context.Context, e *Env, b board.Board, a *OnWindow) (board.Info, error) {
			return b.CloseNow(ctx, a.Window)
		})
	// GetReset is board.Board.NextReset.
	GetReset = own(onWindow("getReset", "GET", "/reset", "BOARD.NEXTRESET board window", "O(1)", ToRead, "When the next period begins",
		func(ctx context.Context, e *Env, b board.Board, a *OnWindow) (Until, error) {
			return untilOf(b.NextReset(ctx, a.Window))
		}))
	// GetNextChange is board.Board.NextChange.
	GetNextChange = own(onWindow("getNextChange", "GET", "/next-change", "BOARD.NEXTCHANGE board window member", "O(log(N))", ToRead, "When the first of a member's results leaves a rolling window",
		func(ctx context.Context, e *Env, b board.Board, a *InWindow) (Until, error) {
			return untilOf(b.NextChange(ctx, a.Window, a.Member))
		}))
	// GetBestRank is board.Board.BestRank.
	GetBestRank = own(onWindow("getBestRank", "GET", "/best-rank", "BOARD.BESTRANK board window member", "O(1)", ToRead, "The best rank that a member ever had",
		func(ctx context.Context, e *Env, b board.Board, a *InWindow) (BestRankOf, error) {
			rank, ok, err := b.BestRank(ctx, a.Window, a.Member)
			return BestRankOf{rank}, ranked(a.Member, ok, err)
		}))
	// ListBaselines is board.Board.Baselines.
	ListBaselines = onWindow("listBaselines", "GET", "/baselines", "BOARD.BASELINES board window", "O(B) for B baselines", ToRead, "The names of the baselines of a window",
		func(ctx context.Context, e *Env, b board.Board, a *OnWindow) (Names, error) {
			return namesOf(b.Baselines(ctx, a.Window))
		})
	// SaveBaseline is board.Board.SaveBaseline.
	SaveBaseline = onWindow("saveBaseline", "PUT", "/baselines/{name}", "BOARD.SAVEBASELINE board window name", "O(N*log(N)) for N members", ToAdminister, "Saves the live ranking as a baseline",
		func(ctx context.Context, e *Env, b board.Board, a *BaselineArgs) (None, error) {
			return None{}, b.SaveBaseline(ctx, a.Window, a.Name)
		})
	// DropBaseline is board.Board.DropBaseline.
	DropBaseline = onWindow("dropBaseline", "DELETE", "/baselines/{name}", "BOARD.DROPBASELINE board window name", "O(N) for N members", ToAdminister, "Drops a baseline",
		func(ctx context.Context, e *Env, b board.Board, a *BaselineArgs) (None, error) {
			return None{}, b.DropBaseline(ctx, a.Window, a.Name)
		})
)

// onWindow returns an operation on a window of a board.
func onWindow[A, R any](id, method, path, words, cost string, right Right, summary string,
	do func(ctx context.Context, e *Env, b board.Board, a *A) (R, error),
) Typed[A, R] {
	return onBoard(Op{ID: id, Route: method + " /boards/{board}/windows/{window}" + path, Heading: "Windows",
		Command: words, Cost: cost, Right: right, Summary: summary}, do)
}

// own returns an operation that players may use, too.
func own[A, R any](o Typed[A, R]) Typed[A, R] {
	o.Own = true
	return o
}

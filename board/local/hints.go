package local

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/periods"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/submit"
)

// Hints gives the keys of the sets that calls of an InTx lock first. A transaction that is told of them, as the last arguments of Engine.Update and Engine.View,
// locks them at its beginning, and is restarted less often. Those of best ranks, cohorts and groups a call locks when it comes to them. Each method appends to dst. Errors of all: ErrClosed, ErrNoBoard.
type Hints struct{ b *catalog.Board }

// Hints returns the hints of a board. O(1). Errors: ErrNoBoard, ErrClosed.
func (bs *Boards) Hints(name string) (Hints, error) {
	b, err := bs.catalog.Lookup(name)
	return Hints{b}, err
}

// Submit appends the keys of the sets that have the member of a submission, or would have it. sub.At must be set. O(windows). Errors: those of Submit that are known before the
// transaction; engine.ErrInTx if it is called inside a closure of the engine while the board is being migrated.
func (h Hints) Submit(ctx context.Context, dst []string, sub board.Submission) ([]string, error) {
	if sub.At.IsZero() {
		return nil, fmt.Errorf("%w: a hint of a submission wants At", board.ErrTime)
	}
	return submit.AppendKeys(ctx, h.b, dst, sub)
}

// Remove appends the keys of the sets that may have a member. O(open periods). Errors: engine.ErrInTx as from Submit.
func (h Hints) Remove(ctx context.Context, dst []string, member string) ([]string, error) {
	return submit.AppendRemoveKeys(ctx, h.b, dst, member)
}

// Read appends the keys of the sets that hold the rankings of periods of a window, and the best ranks: of the period that is live, or of those
// that are named. On a board with Spec.Top they are those of the best members: see ReadOf. Read first removes from a rolling window what has left it,
// unless it is called inside a closure of the engine. O(periods). Errors: ErrNoWindow, ErrPeriodName, an *OutsideError if no period is live, those of
// the engine; ErrMigrating for a rolling window if the board has been migrated meanwhile.
func (h Hints) Read(ctx context.Context, dst []string, window string, names ...string) ([]string, error) {
	return periods.AppendKeys(ctx, h.b, dst, nil, window, names)
}

// ReadOf is Read with the keys that reads of one member, and SetMeta, need too. They are the same, unless the board has Spec.Top: then Rank, Score and
// Card of a member that is not among the best look into one more set, which depends on the member.
func (h Hints) ReadOf(ctx context.Context, dst []string, member, window string, names ...string) ([]string, error) {
	return periods.AppendKeys(ctx, h.b, dst, &member, window, names)
}

// Claim appends the keys that a transaction locks to claim an award. O(1). Error: awards.ErrNoAward.
func (h Hints) Claim(dst []string, id string) ([]string, error) {
	return settlement.AppendClaimKeys(h.b, dst, id)
}

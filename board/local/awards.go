package local

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/internal/leagues"
	"github.com/zrankdb/zrank/board/internal/settlement"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Delivery is how a program grants the awards of a window: see Boards.Deliver.
//
// Grant grants an award in a transaction of the engine, which also stores that it is granted: what Grant changes in the store happens exactly once. It may be
// called again for an award whose transaction was not committed; then a.ID and a.Revision are the same, for systems beside the store. It pays a.Owed and not a.Payload:
// after a Resettle a member may have got a part of it before. Several awards share a
// transaction, up to 64. If Grant fails or panics, the transaction is rolled back, and each of them gets one of its own. The award that fails is tried again
// after a second, and then after twice as long each time, up to an hour. Other awards go on.
//
// Grant runs on a goroutine of the boards, or with Options.Manual on that of SettleDue, one call after the other, and holds the locks of its transaction: it should not wait for anything else. ctx ends
// when the boards are closed. A call of the boards or the engine in it returns engine.ErrInTx, but for Boards.In.
//
// Keys appends the keys of the sets that Grant uses for an award, in the same order as Engine.Update. It is nil if Grant only uses private keys, which need
// no names. It is called before the transaction, and may be called more than once.
type Delivery struct {
	// Grant gives a member what the award says.
	Grant func(ctx context.Context, tx *engine.Tx, a awards.Award) error
	// Keys appends the keys of the sets that Grant uses; nil: none.
	Keys func(dst []string, a awards.Award) ([]string, error)
}

// Deliver sets how the awards of a window of a board are granted, in place of what was set before, and begins to grant those that wait, of the earliest period first. An
// empty Delivery ends that. A program calls it after each Open. Errors: ErrNoWindow; awards.ErrPlan if the awards are claimed, unless there are periods of an earlier plan to deliver; ErrClosed, ErrNoBoard.
func (bs *Boards) Deliver(name, window string, d Delivery) error {
	b, err := bs.catalog.Lookup(name)
	if err != nil {
		return err
	}
	return settlement.Deliver(b, window, settlement.Delivery(d))
}

// SettleDue is CloseDue, and also settles what is closed, cohorts too, and delivers the awards that wait, in the order in which the periods ended, as the goroutines of Open
// do. It returns when all of that is done but for awards that have failed and are not due yet: for programs that set the clock. Errors: ErrClosed, that of ctx,
// engine.ErrInTx, those of the engine, joined.
func (bs *Boards) SettleDue(ctx context.Context) (n board.Settled, err error) {
	if n.Closed, err = bs.CloseDue(ctx); err != nil {
		return n, err
	}
	if n.Cohorts, err = leagues.SettleDue(ctx, bs.catalog); err != nil {
		return n, err
	}
	if n.Settled, err = settlement.SettleDue(ctx, bs.catalog); err != nil {
		return n, err
	}
	d, err := settlement.DeliverDue(ctx, bs.catalog)
	n.Granted, n.Failed = d.Granted, d.Failed
	if err == nil {
		_, err = closing.CloseDue(ctx, bs.catalog) // drops periods that were kept for their awards
	}
	return n, err
}

// NextDue returns the next time, after that of the engine's clock, at which SettleDue has something to do as far as is known now: a period that has members
// closes, or an award that has failed is tried again. ok is false if there is none. O(open periods + awards that have failed).
func (bs *Boards) NextDue() (at time.Time, ok bool) {
	after := bs.catalog.Engine.Now().UnixMicro()
	next := min(closing.NextClose(bs.catalog, after+1), settlement.NextRetry(bs.catalog, after+1))
	return time.UnixMicro(next), next < math.MaxInt64
}

// Settlements returns the settlements of a window in order of time: of its closed periods that award anything, and of periods that are not kept any more if
// awards can still be claimed. O(settlements). Errors: ErrNoWindow, ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) Settlements(ctx context.Context, window string) ([]awards.Settlement, error) {
	return settlement.Summaries(b.core(), window)
}

// Awards iterates over the awards of a closed period, by place. There are none before the period is settled. O(awards). It yields at most one error, at the
// end: ErrNoWindow, awards.ErrNoAward if the period has no settlement, those of the engine.
func (b *localBoard) Awards(ctx context.Context, window, period string) iter.Seq2[awards.Award, error] {
	return settlement.All(ctx, b.core(), window, period)
}

// AwardsOf returns the awards of a member in all periods that have awards: windows as in the spec, periods in order of time. The first call for a period
// after it was settled or the engine was opened reads its awards from the disk. O(settlements). Errors: ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) AwardsOf(ctx context.Context, member string) ([]awards.Award, error) {
	return settlement.Of(ctx, b.core(), member, func(*state.Settling) bool { return true })
}

// Claimable returns the awards that a member can claim now, as AwardsOf does.
func (b *localBoard) Claimable(ctx context.Context, member string) ([]awards.Award, error) {
	return settlement.Claimable(ctx, b.core(), member)
}

// Claim grants an award to its member, once, and returns it. O(1). To change data of the program in the same commit use InTx.Claim. Errors: awards.ErrNoAward
// if there is none with the id; awards.ErrNotYours if it is another member's; awards.ErrGranted, awards.ErrWithheld, awards.ErrExpired; awards.ErrSettling during a Resettle; ErrClosed,
// ErrNoBoard, those of the engine. After an error nothing has changed, unless it is ErrStalled or ErrPersistence: see Engine.Update.
func (b *localBoard) Claim(ctx context.Context, member, id string) (awards.Award, error) {
	return settlement.Claim(ctx, b.core(), member, id)
}

// Claim is Board.Claim in the transaction. Errors: as there, and those of InTx. After an error of the board the transaction is as it was before the call.
func (t InTx) Claim(member, id string) (a awards.Award, err error) {
	err = t.locked(func() ([]string, error) { return settlement.AppendClaimKeys(t.b, nil, id) }, func() (err error) {
		a, err = settlement.ClaimIn(t.b, t.tx, member, id)
		return err
	})
	return a, err
}

// Withhold makes an award that waits one that is not granted, until Release. Errors: awards.ErrNoAward, awards.ErrGranted, awards.ErrWithheld, awards.ErrSettling, ErrClosed, ErrNoBoard,
// those of the engine.
func (b *localBoard) Withhold(ctx context.Context, id, reason string) error {
	return settlement.Withhold(ctx, b.core(), id, reason)
}

// Release makes an award that is withheld, or that has failed, one that waits: it is delivered at once. If nothing is due since a Resettle it waits for nothing, and a later one can
// grant it. Errors: as Withhold.
func (b *localBoard) Release(ctx context.Context, id string) error {
	return settlement.Release(ctx, b.core(), id)
}

// Resettle settles a closed period again after a correction, and returns who has gained and lost against what was due and granted. What was granted stays
// granted. What is due now and was not granted waits, to be delivered or claimed. Without Stack a member that gets a better tier is granted that,
// Award.Had says what it has, and Award.Owed is the difference; one that gets a worse tier than it was granted gets nothing, and TooMuch says what it has too much. Awards that are withheld
// stay so. Tiers of two plans are the same if name and payload are. Claims fail with awards.ErrSettling meanwhile. After a crash it is finished when the boards are
// open again. O(winners). Errors: ErrNoWindow; awards.ErrNoAward if the period has no settlement; awards.ErrPlan; ErrNoPeriod if the period is not kept any more; that of ctx,
// ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) Resettle(ctx context.Context, window, period string, r awards.Resettlement) (awards.Difference, error) {
	return settlement.Resettle(ctx, b.core(), window, period, r)
}

package board

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/engine/board/awards"
	"github.com/zrankdb/zrank/engine/board/internal/closing"
	"github.com/zrankdb/zrank/engine/board/internal/leagues"
	"github.com/zrankdb/zrank/engine/board/internal/settlement"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// AwardPlan says what the periods of one window award when they close: see package awards.
//
//	Window           string           the name of the window
//	Mode             Mode             which ranks equals have, and so in which tier they are: with Ordinal the tie rule decides at the edge of a tier, with
//	                                  Competition all equals get the better tier, with Modified the worse one
//	Stack            bool             a member gets all tiers that have it, not the first one only
//	Claim            bool             members collect their awards with Claim; else the program delivers them: see Board.Deliver
//	Expires          window.Duration  how long an award can be claimed after its period was closed; 0: for ever
//	DropUndelivered  bool             the window may drop a period that it does not keep although awards have not been delivered
//	Tiers            []Tier           1 to 64 of different names, the best first
type AwardPlan = awards.Plan

// Tier is a group of members and what they get.
//
//	Name      string   at most 64 bytes, without slashes
//	From, To  int      a range of ranks, from 1, in the mode of the plan; To 0 means From
//	Percent   float64  or the best percent of the members, rounded down
//	Score     *Score   or everyone with this score or a better one
//	Everyone  bool     or everyone who took part
//	Payload   string   what it gives: at most 16 KiB of UTF-8 that mean something to the program only
type Tier = awards.Tier

// Award is what a member gets for a closed period.
//
//	ID             string     is that of no other award, and stays the same: for systems beside the store, so that a second call does nothing
//	Board, Window, Period, Member  string
//	Revision       int        1; or that of the Resettle that has changed the award, which has given it another ID
//	Rank           int        from 1, in the mode of the plan; 0 if the member is not ranked any more
//	Score          Score      of the member in the ranking, in awards of Grant, Keys and Board.Awards while the period is kept; else without columns
//	Tier, Payload  string     of the first of Tiers
//	Tiers          []Tier     what is to be granted; or what was granted, if nothing is
//	Had            []Tier     what was granted for the period before: after a Resettle
//	State          AwardState
//	TooMuch        []Tier     what was granted and is not due any more: after a Resettle
//	Expires        time.Time  when it cannot be claimed any more; zero: never
//	Failures       int        how often Grant has failed
//	Next           time.Time  when it is tried again, if it has failed
//	Reason         string     of the last failure, or why it is withheld
type Award = settlement.Award

// AwardState is what has become of an award.
type AwardState = settlement.State

const (
	// Waiting awards are to be delivered or claimed.
	Waiting = settlement.Waiting
	// Failed awards wait too, after Grant has failed.
	Failed = settlement.Failed
	// Granted awards have been delivered or claimed.
	Granted = settlement.Granted
	// Withheld awards are not granted: see Board.Withhold.
	Withheld = settlement.Withheld
	// Expired awards have not been claimed in time.
	Expired = settlement.Expired
)

// ParseAwardState returns the state of a name. Error: ErrAward.
func ParseAwardState(name string) (AwardState, error) { return settlement.ParseState(name) }

// Delivery is how a program grants the awards of a window: see Board.Deliver.
//
//	Grant func(ctx context.Context, tx *engine.Tx, a Award) error
//	Keys  func(dst []string, a Award) ([]string, error)
//
// Grant grants an award in a transaction of the engine, which also stores that it is granted: what Grant changes in the store happens exactly once. It may be
// called again for an award whose transaction was not committed; then a.ID is the same, for systems beside the store. Several awards share a
// transaction, up to 64. If Grant fails or panics, the transaction is rolled back, and each of them gets one of its own. The award that fails is tried again
// after a second, and then after twice as long each time, up to an hour. Other awards go on.
//
// Grant runs on a goroutine of the boards, one call after the other, and holds the locks of its transaction: it should not wait for anything else. ctx ends
// when the boards are closed. A call of the boards or the engine in it returns engine.ErrInTx, but for Board.In.
//
// Keys appends the keys of the sets that Grant uses for an award, in the same order as Engine.Update. It is nil if Grant only uses private keys, which need
// no names. It is called before the transaction, and may be called more than once.
type Delivery = settlement.Delivery

// Deliver sets how the awards of a window are granted, in place of what was set before, and begins to grant those that wait, of the earliest period first. An
// empty Delivery ends that. A program calls it after each Open. Errors: ErrNoWindow; ErrPlan if the awards are claimed, unless there are periods of an earlier plan to deliver; ErrClosed, ErrNoBoard.
func (b *Board) Deliver(window string, d Delivery) error {
	return settlement.Deliver(b.core(), window, d)
}

// Settled counts what SettleDue has done.
//
//	Closed   int  periods
//	Settled  int  periods whose winners are known by now
//	Granted  int  awards
//	Failed   int  calls of Grant for one award that failed
//	Cohorts  int  whose members are promoted and relegated by now
type Settled struct{ Closed, Settled, Granted, Failed, Cohorts int }

// SettleDue is CloseDue, and also settles what is closed, cohorts too, and delivers the awards that wait, in the order in which the periods ended, as the goroutines of Open
// do. It returns when all of that is done but for awards that have failed and are not due yet: for programs that set the clock. Errors: ErrClosed, that of ctx,
// engine.ErrInTx, those of the engine, joined.
func (bs *Boards) SettleDue(ctx context.Context) (n Settled, err error) {
	if n.Closed, err = bs.CloseDue(); err != nil {
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
		_, err = closing.CloseDue(bs.catalog) // drops periods that were kept for their awards
	}
	return n, err
}

// Settlement describes the awards of a closed period.
//
//	Board, Window, Period  string
//	End       time.Time  of the period
//	ClosedAt  time.Time  when it was closed
//	Settled   bool       the winners are known
//	Revision  int        1, and one more with each Resettle
//	Plan      AwardPlan  that it follows: the spec's when the period was closed, or that of a Resettle
//	Without   []string   members that get nothing: see Resettlement
//	Reason    string     of the last Resettle
//	Awards    int        the number of members with an award, once settled
//	Waiting   int        how many of them wait to be delivered or claimed
//	Failed    int        how many of those have failed
//	Expired   int        how many were not claimed in time
//	Expires   time.Time  when claims end; zero: never
type Settlement = settlement.Summary

// Settlements returns the settlements of a window in order of time: of its closed periods that award anything, and of periods that are not kept any more if
// awards can still be claimed. O(settlements). Errors: ErrNoWindow, ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) Settlements(window string) ([]Settlement, error) {
	return settlement.Summaries(b.core(), window)
}

// Awards iterates over the awards of a closed period, by place. There are none before the period is settled. O(awards). It yields at most one error, at the
// end: ErrNoWindow, ErrAward if the period has no settlement, those of the engine.
func (b *Board) Awards(window, period string) iter.Seq2[Award, error] {
	return settlement.All(b.core(), window, period)
}

// AwardsOf returns the awards of a member in all periods that have awards: windows as in the spec, periods in order of time. The first call for a period
// after it was settled or the engine was opened reads its awards from the disk. O(settlements). Errors: ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) AwardsOf(member string) ([]Award, error) {
	return settlement.Of(b.core(), member, func(*state.Settling) bool { return true })
}

// Claimable returns the awards that a member can claim now, as AwardsOf does.
func (b *Board) Claimable(member string) ([]Award, error) {
	return settlement.Claimable(b.core(), member)
}

// Claim grants an award to its member, once, and returns it. O(1). To change data of the program in the same commit use InTx.Claim. Errors: ErrAward
// if there is none with the id; ErrNotYours if it is another member's; ErrGranted, ErrWithheld, ErrExpired; ErrSettling during a Resettle; ErrClosed,
// ErrNoBoard, those of the engine. After an error nothing has changed, unless it is ErrStalled or ErrPersistence: see Engine.Update.
func (b *Board) Claim(member, id string) (Award, error) {
	return settlement.Claim(b.core(), member, id)
}

// ClaimKeys appends to dst the keys that a transaction must name before it can claim an award with In. O(1). Errors: ErrAward, ErrClosed, ErrNoBoard.
func (b *Board) ClaimKeys(dst []string, id string) ([]string, error) {
	return settlement.AppendClaimKeys(b.core(), dst, id)
}

// Claim is Board.Claim in the transaction, which must have named the ClaimKeys of the award. Errors: as there. After an error of the board the transaction
// is as it was before the call.
func (t InTx) Claim(member, id string) (Award, error) {
	return settlement.ClaimIn(t.b, t.tx, member, id)
}

// Withhold makes an award that waits one that is not granted, until Release. Errors: ErrAward, ErrGranted, ErrWithheld, ErrSettling, ErrClosed, ErrNoBoard,
// those of the engine.
func (b *Board) Withhold(id, reason string) error { return settlement.Withhold(b.core(), id, reason) }

// Release makes an award that is withheld, or that has failed, one that waits: it is delivered at once. Errors: as Withhold.
func (b *Board) Release(id string) error { return settlement.Release(b.core(), id) }

// Resettlement says how a period is settled again.
//
//	Reason   string      why: it is kept with the settlement
//	Without  []string    members that get nothing: the ranks of the others close up. It replaces the list of an earlier Resettle
//	Plan     *AwardPlan  another plan with the same Window, Stack and Claim; nil: as it was
//	DryRun   bool        change nothing, and only return what would change
type Resettlement = settlement.Resettlement

// Correction is what a Resettle changes.
//
//	Gained   int            members that have a tier more
//	Lost     int            members that have a tier less
//	TooMuch  int            members that were granted a tier that they should not have
//	Changes  []AwardChange  of all of them, by rank; those who get nothing any more come last
type Correction = settlement.Correction

// AwardChange is how a Resettle changes the award of a member.
//
//	Member   string
//	Rank     int     from 1, by now; 0 if nothing is due any more
//	Was, Is  []Tier  what was due, and what is
//	Granted  []Tier  what was granted already
//	ToGrant  []Tier  what will be granted
//	TooMuch  []Tier  what was granted and is not due
type AwardChange = settlement.Change

// Resettle settles a closed period again after a correction, and returns who has gained and lost against what was due and granted. What was granted stays
// granted. What is due now and was not granted waits, to be delivered or claimed. Without Stack a member that gets a better tier is granted that,
// and Award.Had says what it has; one that gets a worse tier than it was granted gets nothing, and TooMuch says what it has too much. Awards that are withheld
// stay so. Tiers of two plans are the same if name and payload are. Claims fail with ErrSettling meanwhile. After a crash it is finished when the boards are
// open again. O(winners). Errors: ErrNoWindow; ErrAward if the period has no settlement; ErrPlan; ErrNoPeriod if the period is not kept any more; that of ctx,
// ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) Resettle(ctx context.Context, window, period string, r Resettlement) (Correction, error) {
	return settlement.Resettle(ctx, b.core(), window, period, r)
}

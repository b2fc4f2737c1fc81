package board

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/board/awards"
)

// Settled counts what SettleDue has done.
type Settled struct {
	Closed  int // periods
	Settled int // periods whose winners are known by now
	Granted int // awards
	Failed  int // calls of Grant for one award that failed
	Cohorts int // whose members are promoted and relegated by now
}

// Awarder has the awards of closed periods.
type Awarder interface {
	// Settlements returns the settlements of a window in order of time: of its closed periods that
	// award anything, and of periods that are not kept any more if awards can still be claimed.
	// O(settlements).
	Settlements(ctx context.Context, window string) ([]awards.Settlement, error)
	// Awards iterates over the awards of a closed period, by place. There are none before the period
	// is settled. O(awards). It yields at most one error, at the end: ErrNoWindow, awards.ErrNoAward if the
	// period has no settlement, those of the engine.
	Awards(ctx context.Context, window, period string) iter.Seq2[awards.Award, error]
	// AwardsOf returns the awards of a member in all periods that have awards: windows as in the spec,
	// periods in order of time. The first call for a period after it was settled or the engine was
	// opened reads its awards from the disk. O(settlements).
	AwardsOf(ctx context.Context, member string) ([]awards.Award, error)
	// Claimable returns the awards that a member can claim now, as AwardsOf does.
	Claimable(ctx context.Context, member string) ([]awards.Award, error)
	// Claim grants an award to its member, once, and returns it. O(1). To change data of the program
	// in the same commit use InTx.Claim.
	Claim(ctx context.Context, member, id string) (awards.Award, error)
	// Withhold makes an award that waits one that is not granted, until Release.
	Withhold(ctx context.Context, id, reason string) error
	// Release makes an award that is withheld, or that has failed, one that waits: it is delivered at
	// once. If nothing is due since a Resettle it waits for nothing, and a later one can grant it.
	// Errors: as Withhold.
	Release(ctx context.Context, id string) error
	// Resettle settles a closed period again after a correction, and returns who has gained and lost
	// against what was due and granted. What was granted stays granted. What is due now and was not
	// granted waits, to be delivered or claimed. O(winners).
	Resettle(ctx context.Context, window, period string, r awards.Resettlement) (awards.Difference, error)
}

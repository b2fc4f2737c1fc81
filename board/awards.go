package board

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
)

// AwardPlan says what the periods of one window award when they close.
type AwardPlan = awards.Plan

// Tier is a group of members and what they get.
type Tier = awards.Tier

// Award is what a member gets for a closed period.
type Award struct {
	ID       string        `json:"id"`       // is that of no other award, and stays the same, after a Resettle and a Rename too. After a Merge ids of the member that is no more still find its awards
	Board    string        `json:"board"`    // the board's name
	Window   string        `json:"window"`   // the window's name
	Period   string        `json:"period"`   // the name of the closed period
	Member   string        `json:"member"`   // who gets it
	Revision int           `json:"revision"` // 1; or that of the Resettle that has changed what is due. ID and Revision are what systems beside the store go by, so that a second call does nothing
	Rank     int           `json:"rank"`     // from 1, in the mode of the plan; 0 if the member is not ranked any more
	Score    rules.Score   `json:"score"`    // of the member in the ranking, in awards of Grant, Keys and Board.Awards while the period is kept; else without columns
	Tier     string        `json:"tier"`     // of the first of Tiers
	Payload  string        `json:"payload"`  // of the first of Tiers
	Owed     int64         `json:"owed"`     // what Grant or Claim has to pay, if all payloads are whole numbers, else 0: that of Tiers, less what Had has paid if the plan has no Stack
	Tiers    []awards.Tier `json:"tiers"`    // what is to be granted; or what was granted, if nothing is
	Had      []awards.Tier `json:"had"`      // what was granted for the period before: after a Resettle
	State    AwardState    `json:"state"`    // whether it waits, has been granted, is withheld or has expired
	TooMuch  []awards.Tier `json:"tooMuch"`  // what was granted and is not due any more: after a Resettle
	Expires  time.Time     `json:"expires"`  // when it cannot be claimed any more; zero: never
	Failures int           `json:"failures"` // the number of times that Grant failed
	Next     time.Time     `json:"next"`     // when it is tried again, if it has failed
	Reason   string        `json:"reason"`   // of the last failure, or why it is withheld
}

// AwardState is what has become of an award.
type AwardState int

// String returns the state's name.
func (s AwardState) String() string {
	if s < 0 || int(s) >= len(awardStates) {
		return fmt.Sprintf("State(%d)", int(s))
	}
	return awardStates[s]
}

// MarshalText returns the state's name.
func (s AwardState) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// The states of awards. Waiting ones are to be delivered or claimed, and Failed ones are tried again after Grant has failed; Granted ones have been delivered or claimed;
// Withheld ones are not granted, see Withhold; Expired ones were not claimed in time.
const (
	Waiting AwardState = iota
	Failed
	Granted
	Withheld
	Expired
)

// Settlement describes the awards of a closed period.
type Settlement struct {
	Board    string      `json:"board"`    // the board's name
	Window   string      `json:"window"`   // the window's name
	Period   string      `json:"period"`   // the period's name
	End      time.Time   `json:"end"`      // of the period
	ClosedAt time.Time   `json:"closedAt"` // when it was closed
	Settled  bool        `json:"settled"`  // the winners are known
	Revision int         `json:"revision"` // 1, and one more with each Resettle
	Plan     awards.Plan `json:"plan"`     // that it follows: the spec's when the period was closed, or that of a Resettle
	Without  []string    `json:"without"`  // members that get nothing: see Resettlement
	Reason   string      `json:"reason"`   // of the last Resettle
	Awards   int         `json:"awards"`   // the number of members with an award, once settled
	Waiting  int         `json:"waiting"`  // how many of them wait to be delivered or claimed
	Failed   int         `json:"failed"`   // how many of those have failed
	Expired  int         `json:"expired"`  // how many were not claimed in time
	Expires  time.Time   `json:"expires"`  // when claims end; zero: never
}

// Resettlement says how a period is settled again.
type Resettlement struct {
	Reason  string       // why: it is kept with the settlement
	Without []string     // members that get nothing: the ranks of the others close up. It replaces the list of an earlier Resettle. A Rename, or a Merge, puts the other name into the list
	Plan    *awards.Plan // another plan with the same Window, Stack and Claim; nil: as it was
	DryRun  bool         // change nothing, and only return what would change
}

// Correction is what a Resettle changes.
type Correction struct {
	Gained  int           `json:"gained"`  // members that have a tier more
	Lost    int           `json:"lost"`    // members that have a tier less
	TooMuch int           `json:"tooMuch"` // members that were granted a tier that they should not have
	Changes []AwardChange `json:"changes"` // of all of them, by rank; those who get nothing any more come last
}

// AwardChange is how a Resettle changes the award of a member.
type AwardChange struct {
	Member  string        `json:"member"`  // whose award changes
	Rank    int           `json:"rank"`    // from 1, by now; 0 if the member gets nothing any more, or is not ranked
	Was     []awards.Tier `json:"was"`     // what was due
	Is      []awards.Tier `json:"is"`      // what is due
	Granted []awards.Tier `json:"granted"` // what was granted already
	ToGrant []awards.Tier `json:"toGrant"` // what will be granted
	TooMuch []awards.Tier `json:"tooMuch"` // were granted and are not due
}

// ParseAwardState returns the state of a name. Error: ErrAward.
func ParseAwardState(name string) (AwardState, error) {
	for s := range awardStates {
		if awardStates[s] == name {
			return AwardState(s), nil
		}
	}
	return 0, fmt.Errorf("%w: no state %q, want one of %v", ErrAward, name, awardStates)
}

var awardStates = [...]string{Waiting: "waiting", Failed: "failed", Granted: "granted", Withheld: "withheld", Expired: "expired"}

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
	Settlements(ctx context.Context, window string) ([]Settlement, error)
	// Awards iterates over the awards of a closed period, by place. There are none before the period
	// is settled. O(awards). It yields at most one error, at the end: ErrNoWindow, ErrAward if the
	// period has no settlement, those of the engine.
	Awards(ctx context.Context, window, period string) iter.Seq2[Award, error]
	// AwardsOf returns the awards of a member in all periods that have awards: windows as in the spec,
	// periods in order of time. The first call for a period after it was settled or the engine was
	// opened reads its awards from the disk. O(settlements).
	AwardsOf(ctx context.Context, member string) ([]Award, error)
	// Claimable returns the awards that a member can claim now, as AwardsOf does.
	Claimable(ctx context.Context, member string) ([]Award, error)
	// Claim grants an award to its member, once, and returns it. O(1). To change data of the program
	// in the same commit use InTx.Claim.
	Claim(ctx context.Context, member, id string) (Award, error)
	// Withhold makes an award that waits one that is not granted, until Release.
	Withhold(ctx context.Context, id, reason string) error
	// Release makes an award that is withheld, or that has failed, one that waits: it is delivered at
	// once. If nothing is due since a Resettle it waits for nothing, and a later one can grant it.
	// Errors: as Withhold.
	Release(ctx context.Context, id string) error
	// Resettle settles a closed period again after a correction, and returns who has gained and lost
	// against what was due and granted. What was granted stays granted. What is due now and was not
	// granted waits, to be delivered or claimed. O(winners).
	Resettle(ctx context.Context, window, period string, r Resettlement) (Correction, error)
}

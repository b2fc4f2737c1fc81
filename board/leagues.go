package board

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// League is the cohort of a member in a period.
type League struct {
	Board   string      `json:"board"`             // the board's name
	Window  string      `json:"window"`            // the name of the window that has leagues
	Period  string      `json:"period"`            // the period's name
	Ends    time.Time   `json:"ends,omitzero"`     // the first moment after the period
	Settled bool        `json:"settled,omitempty"` // its members have been promoted and relegated
	Tier    string      `json:"tier"`              // the name of its tier
	Band    int         `json:"band,omitempty"`    // the band of skill, from 0
	Cohort  uint64      `json:"cohort"`            // from 1, among those of its tier and band
	Rows    []LeagueRow `json:"rows"`              // its members: the ranked ones, best first, and then those that are not ranked
}

// LeagueRow is a member of a cohort: its Row, with the place in the cohort as Rank, from 1, which is 0 if the member is not ranked; and its Zone: what becomes of
// it if the period ends like this or, of a cohort that is settled, has become of it.
type LeagueRow struct {
	Row
	Zone Zone `json:"zone"` // whether the member goes up or down
}

// Zone says whether a member of a cohort goes up or down, or stays in its tier. Its String is "up", "down" or "stay".
type Zone uint8

// String returns the name of a zone.
func (o Zone) String() string {
	switch o {
	case ZoneUp:
		return "up"
	case ZoneDown:
		return "down"
	}
	return "stay"
}

// MarshalText returns the name of a zone.
func (o Zone) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the name of a zone: "up", "down" or "stay". Error: ErrZone.
func (o *Zone) UnmarshalText(text []byte) error {
	for z := Unsettled; z <= ZoneDown; z++ {
		if z.String() == string(text) {
			*o = z
			return nil
		}
	}
	return fmt.Errorf("%w: no zone %.64q", ErrZone, text)
}

// Promotion is a member that has been promoted or relegated.
type Promotion struct {
	Member string `json:"member,text"` // who has been promoted or relegated
	Zone   Zone   `json:"zone"`        // ZoneUp or ZoneDown
	From   string `json:"from"`        // the tier of its cohort
	To     string `json:"to"`          // the tier above or below
	Cohort uint64 `json:"cohort"`      // from 1, among those of its tier and band
}

// The zones. Unsettled is that of a cohort whose period is open; the others say what becomes, or has become, of a member. Their numbers are stored.
const (
	Unsettled Zone = iota
	ZoneStay
	ZoneUp
	ZoneDown
)

// Promoter has cohorts of members, and tiers between which they are promoted and relegated.
type Promoter interface {
	// League returns the cohort of a member in the live period. O(size log members). ErrNoCohort: the member has not
	// submitted in the period, or queues for a cohort.
	League(ctx context.Context, member string) (League, error)
	// LeagueOf returns the cohort of a member in a period by its name. O(size log members).
	// those of League, ErrPeriodName.
	LeagueOf(ctx context.Context, period, member string) (League, error)
	// Promotions iterates over the members that a closed period has promoted and relegated, by cohort:
	// the lowest tier first. O(members). It yields at most one error, at the end:
	Promotions(ctx context.Context, period string) iter.Seq2[Promotion, error]
	// Tier returns the name of the tier that a member is in: the one in which its next period begins,
	// as far as periods are settled. It is the lowest one for a member that was never promoted. O(1).
	Tier(ctx context.Context, member string) (name string, err error)
	// SetTier gives a member a tier, with an entry in the audit log, whose number it returns; 0 in a
	// dry run. A cohort that the member is in stays as it is; when it is settled, the member goes up
	// or down from the tier that it has then. O(1).
	SetTier(ctx context.Context, member, tier string, a Action) (entry uint64, err error)
}

package board

import (
	"time"
)

// League is the cohort of a member in a period.
type League struct {
	Board   string      `json:"board"`   // the board's name
	Window  string      `json:"window"`  // the name of the window that has leagues
	Period  string      `json:"period"`  // the period's name
	Ends    time.Time   `json:"ends"`    // the first moment after the period
	Settled bool        `json:"settled"` // its members have been promoted and relegated
	Tier    string      `json:"tier"`    // the name of its tier
	Band    int         `json:"band"`    // the band of skill, from 0
	Cohort  uint64      `json:"cohort"`  // from 1, among those of its tier and band
	Rows    []LeagueRow `json:"rows"`    // its members: the ranked ones, best first, and then those that are not ranked
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

// Promotion is a member that has been promoted or relegated.
type Promotion struct {
	Member string `json:"member"` // who has been promoted or relegated
	Zone   Zone   `json:"zone"`   // ZoneUp or ZoneDown
	From   string `json:"from"`   // the tier of its cohort
	To     string `json:"to"`     // the tier above or below
	Cohort uint64 `json:"cohort"` // from 1, among those of its tier and band
}

// The zones. Unsettled is that of a cohort whose period is open; the others say what becomes, or has become, of a member. Their numbers are stored.
const (
	Unsettled Zone = iota
	ZoneStay
	ZoneUp
	ZoneDown
)

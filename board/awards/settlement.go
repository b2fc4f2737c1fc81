package awards

import "time"

// Settlement describes the awards of a closed period.
type Settlement struct {
	Board    string    `json:"board"`                  // the board's name
	Window   string    `json:"window"`                 // the window's name
	Period   string    `json:"period"`                 // the period's name
	End      time.Time `json:"end,omitzero"`           // of the period
	ClosedAt time.Time `json:"closedAt,omitzero"`      // when it was closed
	Settled  bool      `json:"settled"`                // the winners are known
	Revision int       `json:"revision"`               // 1, and one more with each Resettle
	Plan     Plan      `json:"plan"`                   // that it follows: the spec's when the period was closed, or that of a Resettle
	Without  []string  `json:"without,text,omitempty"` // members that get nothing: see Resettlement
	Reason   string    `json:"reason,omitempty"`       // of the last Resettle
	Awards   int       `json:"awards"`                 // the number of members with an award, once settled
	Waiting  int       `json:"waiting"`                // how many of them wait to be delivered or claimed
	Failed   int       `json:"failed,omitempty"`       // how many of those have failed
	Expired  int       `json:"expired,omitempty"`      // how many were not claimed in time
	Expires  time.Time `json:"expires,omitzero"`       // when claims end; zero: never
}

// Resettlement says how a period is settled again.
type Resettlement struct {
	Reason  string   `json:"reason,omitempty"`       // why: it is kept with the settlement
	Without []string `json:"without,text,omitempty"` // members that get nothing: the ranks of the others close up. It replaces the list of an earlier Resettle. A Rename, or a Merge, puts the other name into the list
	Plan    *Plan    `json:"plan,omitempty"`         // another plan with the same Window, Stack and Claim; nil: as it was
	DryRun  bool     `json:"dryRun,omitempty"`       // change nothing, and only return what would change
}

// Difference is what a Resettle changes.
type Difference struct {
	Gained  int      `json:"gained"`  // members that have a tier more
	Lost    int      `json:"lost"`    // members that have a tier less
	TooMuch int      `json:"tooMuch"` // members that were granted a tier that they should not have
	Changes []Change `json:"changes"` // of all of them, by rank; those who get nothing any more come last
}

// Change is how a Resettle changes the award of a member.
type Change struct {
	Member  string `json:"member,text"`       // whose award changes
	Rank    int    `json:"rank,omitempty"`    // from 1, by now; 0 if the member gets nothing any more, or is not ranked
	Was     []Tier `json:"was,omitempty"`     // what was due
	Is      []Tier `json:"is,omitempty"`      // what is due
	Granted []Tier `json:"granted,omitempty"` // what was granted already
	ToGrant []Tier `json:"toGrant,omitempty"` // what will be granted
	TooMuch []Tier `json:"tooMuch,omitempty"` // were granted and are not due
}

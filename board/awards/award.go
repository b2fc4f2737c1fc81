package awards

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// Award is what a member gets for a closed period.
type Award struct {
	ID       string      `json:"id"`                 // is that of no other award, and stays the same, after a Resettle and a Rename too. After a Merge ids of the member that is no more still find its awards
	Board    string      `json:"board"`              // the board's name
	Window   string      `json:"window"`             // the window's name
	Period   string      `json:"period"`             // the name of the closed period
	Member   string      `json:"member,text"`        // who gets it
	Revision int         `json:"revision"`           // 1; or that of the Resettle that has changed what is due. ID and Revision are what systems beside the store go by, so that a second call does nothing
	Rank     int         `json:"rank,omitempty"`     // from 1, in the mode of the plan; 0 if the member is not ranked any more
	Score    rules.Score `json:"score,omitempty"`    // of the member in the ranking, in awards of Grant, Keys and Board.Awards while the period is kept; else without columns
	Tier     string      `json:"tier,omitempty"`     // of the first of Tiers
	Payload  string      `json:"payload,omitempty"`  // of the first of Tiers
	Owed     int64       `json:"owed,omitempty"`     // what Grant or Claim has to pay, if all payloads are whole numbers, else 0: that of Tiers, less what Had has paid if the plan has no Stack
	Tiers    []Tier      `json:"tiers,omitempty"`    // what is to be granted; or what was granted, if nothing is
	Had      []Tier      `json:"had,omitempty"`      // what was granted for the period before: after a Resettle
	State    State       `json:"state"`              // whether it waits, has been granted, is withheld or has expired
	TooMuch  []Tier      `json:"tooMuch,omitempty"`  // what was granted and is not due any more: after a Resettle
	Expires  time.Time   `json:"expires,omitzero"`   // when it cannot be claimed any more; zero: never
	Failures int         `json:"failures,omitempty"` // the number of times that Grant failed
	Next     time.Time   `json:"next,omitzero"`      // when it is tried again, if it has failed
	Reason   string      `json:"reason,omitempty"`   // of the last failure, or why it is withheld
}

// State is what has become of an award.
type State int

// String returns the state's name.
func (s State) String() string {
	if s < 0 || int(s) >= len(stateNames) {
		return fmt.Sprintf("State(%d)", int(s))
	}
	return stateNames[s]
}

// MarshalText returns the state's name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a state's name. Error: ErrNoAward.
func (s *State) UnmarshalText(text []byte) (err error) {
	*s, err = ParseState(string(text))
	return err
}

// The states of awards. Waiting ones are to be delivered or claimed, and Failed ones are tried again after Grant has failed; Granted ones have been delivered or claimed;
// Withheld ones are not granted, see Withhold; Expired ones were not claimed in time.
const (
	Waiting State = iota
	Failed
	Granted
	Withheld
	Expired
)

// ParseState returns the state of a name. Error: ErrNoAward.
func ParseState(name string) (State, error) {
	for s := range stateNames {
		if stateNames[s] == name {
			return State(s), nil
		}
	}
	return 0, fmt.Errorf("%w: no state %q, want one of %v", ErrNoAward, name, stateNames)
}

var stateNames = [...]string{Waiting: "waiting", Failed: "failed", Granted: "granted", Withheld: "withheld", Expired: "expired"}

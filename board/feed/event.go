package feed

import (
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// Event is something that has happened on a board: see the package for the fields that each kind has.
type Event struct {
	Position Position    `json:"position"`              // behind this event: a feed after it goes on with the next one
	Kind     Kind        `json:"kind"`                  // what has happened
	Board    string      `json:"board"`                 // the board's name; "" where it is about none
	Window   string      `json:"window,omitempty"`      // the window's name
	Period   string      `json:"period,omitempty"`      // the period's name
	Member   string      `json:"member,text,omitempty"` // whom the event is about
	At       time.Time   `json:"at"`                    // when it happened by the engine's clock, to the microsecond
	By       string      `json:"by,text,omitempty"`     // the member that has caused it, or the operator
	Other    string      `json:"other,text,omitempty"`  // another member: the leader before, the new name
	Rank     int         `json:"rank,omitempty"`        // of the member now, from 1; 0: none
	Before   int         `json:"before,omitempty"`      // its rank before
	Score    rules.Score `json:"score,omitempty"`       // of the member now
	Was      rules.Score `json:"was,omitempty"`         // its score before
	Groups   string      `json:"groups,omitempty"`      // a kind of groups
	Group    string      `json:"group,text,omitempty"`  // one of them
	Award    string      `json:"award,omitempty"`       // an award's id
	Count    int         `json:"count,omitempty"`       // of members or awards
	Audit    uint64      `json:"audit,omitempty"`       // the number of an entry in the audit log
}

// Filter chooses events. An event must pass every list that is not empty.
type Filter struct {
	Boards  []string // names of boards
	Windows []string // names of windows; an event of no window does not pass a list
	Members []string // the member that the event is about
	Kinds   []Kind   // kinds of events
}

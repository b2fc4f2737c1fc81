package audit

import "time"

// Entry is an entry of the audit log.
type Entry struct {
	Number    uint64    `json:"number"`                // from 1, in the order of the commits
	At        time.Time `json:"at"`                    // when the change began
	Kind      Kind      `json:"kind"`                  // what was done
	Member    string    `json:"member,text,omitempty"` // whose places were changed; "" if the member has been erased since
	To        string    `json:"to,text,omitempty"`     // the other member of a Rename or Merge; "" if it has been erased since
	Hash      string    `json:"hash,omitempty"`        // in place of the name of an erased member: SHA-256 of the salt of the store and the name, in hexadecimal digits
	ToHash    string    `json:"toHash,omitempty"`      // in place of the name of an erased member: SHA-256 of the salt of the store and the name, in hexadecimal digits
	By        string    `json:"by"`                    // of the Action
	Reason    string    `json:"reason,omitempty"`      // of the Action
	Rows      []uint64  `json:"rows,omitempty"`        // the rows of the journal that a Revert has reverted
	KeepRanks bool      `json:"keepRanks,omitempty"`   // of the Action: the others have kept their ranks in closed periods
	Tier      string    `json:"tier,omitempty"`        // that an operator has given the member
	Places    int       `json:"places"`                // how many places were changed: see AuditPlaces
	Parts     uint64    `json:"-"`                     // how many pieces the list of these places has
	Awards    int       `json:"awards,omitempty"`      // how many awards were withheld
	Traces    []Trace   `json:"traces,omitempty"`      // of an Erase: what was erased besides the places
	Done      bool      `json:"done"`                  // the change is complete
}

// Filter selects entries of the audit log. The zero value selects all.
type Filter struct {
	Member string    // that the entry is about, also if it has been erased since
	By     string    // entries of this operator; "": of all
	Kind   Kind      // entries of this kind; "": of all
	Since  time.Time // from this time on
	Until  time.Time // before this time; zero: no bound
	After  uint64    // with higher numbers: for a reader that goes on
}

// Trace is what was kept of an erased member besides its places.
type Trace struct {
	Kind  string `json:"kind"`           // "best rank", "award", "baseline", "Once key", "journal row" or "union"
	Name  string `json:"name,omitempty"` // of the window, of the window and the baseline, or of the union; else ""
	Count int    `json:"count"`          // how many there were
}

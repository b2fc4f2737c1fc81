package board

import (
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board/rules"
)

// Action says who changes what is kept of a member, and why: it goes into the audit log.
type Action struct {
	By        string // who does it: 1 to 256 bytes of UTF-8
	Reason    string // why: at most 4 KiB of UTF-8
	DryRun    bool   // change nothing, and only return what would change
	KeepRanks bool   // of Ban and Erase: the others keep their ranks in closed periods, and nobody has that of the member; else they close up
}

// Validate checks the action of a change of a kind. Error: ErrAction.
func (a Action) Validate(kind AuditKind) error {
	switch {
	case a.By == "":
		return fmt.Errorf("%w: By is empty: the audit log wants to know who", ErrAction)
	case len(a.By) > maxBy || !utf8.ValidString(a.By):
		return fmt.Errorf("%w: By has %d bytes, want at most %d of UTF-8", ErrAction, len(a.By), maxBy)
	case len(a.Reason) > maxReason || !utf8.ValidString(a.Reason):
		return fmt.Errorf("%w: Reason has %d bytes, want at most %d of UTF-8", ErrAction, len(a.Reason), maxReason)
	case a.KeepRanks && kind != AuditBan && kind != AuditErase:
		return fmt.Errorf("%w: KeepRanks: only Ban and Erase keep the ranks of closed periods", ErrAction)
	}
	return nil
}

const (
	// maxBy is the length of the longest By, in bytes.
	maxBy = 256
	// maxReason is the length of the longest Reason, in bytes.
	maxReason = 4 << 10
)

// Moderated is what a change of a member has done, or would do in a dry run.
type Moderated struct {
	Entry  uint64  `json:"entry"`  // the number of its entry in the audit log, 0 in a dry run
	Places []Place `json:"places"` // the places that have changed: open periods first, windows as in the spec, periods in order of time
	Awards int     `json:"awards"` // how many awards were withheld
	Hash   string  `json:"hash"`   // of an erased member: what stands for its name in the audit log; "" in a dry run
	Traces []Trace `json:"traces"` // of an erased member: what was erased besides the places
}

// Place is a member's place in one ranking, and what has become of it.
type Place struct {
	Window   string      `json:"window"`            // the window's name
	Period   string      `json:"period"`            // the period's name
	Closed   bool        `json:"closed,omitempty"`  // the period is closed
	Hidden   bool        `json:"hidden,omitempty"`  // the member is hidden, or was until it was removed
	Rank     int         `json:"rank,omitempty"`    // ordinal, from 1; before a change; 0 if the member was not ranked
	Members  int         `json:"members,omitempty"` // of a closed period, without the hidden ones; before a change
	Score    rules.Score `json:"score"`             // before a change
	NewRank  int         `json:"newRank,omitempty"` // after a change; 0 if the member is not ranked any more
	NewScore rules.Score `json:"newScore"`          // after a change
	Moved    int         `json:"moved,omitempty"`   // how many others in a closed period have another ordinal rank because of the change
}

// Job is a change of closed periods that is in progress.
type Job struct {
	Entry  uint64    `json:"entry"`  // the number of its entry in the audit log
	Kind   AuditKind `json:"kind"`   // of the change
	Member string    `json:"member"` // whose places change
	To     string    `json:"to"`     // of a Rename or a Merge: the other member
	Done   int       `json:"done"`   // closed periods that are changed
	Total  int       `json:"total"`  // that were to be changed when it began
}

// Member is what a board has of a member.
type Member struct {
	Name    string    `json:"name"`    // the member's name
	Banned  bool      `json:"banned"`  // the board refuses its submissions: see Ban
	Hidden  bool      `json:"hidden"`  // it is in no ranking: see Hide
	Windows []History `json:"windows"` // as in the spec
}

// History is the places of a member in the periods of a window.
type History struct {
	Window    string  `json:"window"`    // the window's name
	Places    []Place `json:"places"`    // closed periods, and then open ones, in order of time
	BestRank  Place   `json:"bestRank"`  // the one with the best rank, of equals the earliest; zero if there are none
	BestScore Place   `json:"bestScore"` // the one with the best score
}

// ClosedSubmission is a result for a closed period.
type ClosedSubmission struct {
	Window string      // the window's name
	Period string      // the name of a closed period of the window
	Score  rules.Score // the result; in Sum columns, the number to add
	At     time.Time   // when it happened: a time in the period; zero: its last microsecond
}

// Receipt is what Boards.Erase has erased.
type Receipt struct {
	Boards map[string]Moderated `json:"boards"` // by board, those that had the member
	Unions []string             `json:"unions"` // the stored unions that had it
	Groups []string             `json:"groups"` // the kinds of groups that it was in
}

// Banned is what Boards.Ban has done, or would do in a dry run.
type Banned struct {
	Boards    map[string]Moderated `json:"boards"`    // by board
	Resettled []Resettled          `json:"resettled"` // the closed periods whose awards have changed: boards by name, windows as in the spec, periods in order of time
}

// Resettled is a closed period that was settled again, and what that has changed.
type Resettled struct {
	Board  string `json:"board"`  // the board's name
	Window string `json:"window"` // the window's name
	Period string `json:"period"` // the period's name
	Correction
}

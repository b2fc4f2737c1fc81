package board

import (
	"context"
	"fmt"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
)

// Action says who changes what is kept of a member, and why: it goes into the audit log.
type Action struct {
	By        string `json:"by,omitempty"`        // who does it: 1 to 256 bytes of UTF-8
	Reason    string `json:"reason,omitempty"`    // why: at most 4 KiB of UTF-8
	DryRun    bool   `json:"dryRun,omitempty"`    // change nothing, and only return what would change
	KeepRanks bool   `json:"keepRanks,omitempty"` // of Ban and Erase: the others keep their ranks in closed periods, and nobody has that of the member; else they close up
}

// Validate checks the action of a change of a kind. Error: ErrAction.
func (a Action) Validate(kind audit.Kind) error {
	switch {
	case a.By == "":
		return fmt.Errorf("%w: By is empty: the audit log wants to know who", ErrAction)
	case len(a.By) > maxBy || !utf8.ValidString(a.By):
		return fmt.Errorf("%w: By has %d bytes, want at most %d of UTF-8", ErrAction, len(a.By), maxBy)
	case len(a.Reason) > maxReason || !utf8.ValidString(a.Reason):
		return fmt.Errorf("%w: Reason has %d bytes, want at most %d of UTF-8", ErrAction, len(a.Reason), maxReason)
	case a.KeepRanks && kind != audit.Ban && kind != audit.Erase:
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
	Entry  uint64        `json:"entry,omitempty"`  // the number of its entry in the audit log, 0 in a dry run
	Places []Place       `json:"places"`           // the places that have changed: open periods first, windows as in the spec, periods in order of time
	Awards int           `json:"awards,omitempty"` // how many awards were withheld
	Hash   string        `json:"hash,omitempty"`   // of an erased member: what stands for its name in the audit log; "" in a dry run
	Traces []audit.Trace `json:"traces,omitempty"` // of an erased member: what was erased besides the places
}

// Place is a member's place in one ranking, and what has become of it.
type Place struct {
	Window   string      `json:"window"`             // the window's name
	Period   string      `json:"period"`             // the period's name
	Closed   bool        `json:"closed,omitempty"`   // the period is closed
	Hidden   bool        `json:"hidden,omitempty"`   // the member is hidden, or was until it was removed
	Rank     int         `json:"rank,omitempty"`     // ordinal, from 1; before a change; 0 if the member was not ranked
	Members  int         `json:"members,omitempty"`  // of a closed period, without the hidden ones; before a change
	Score    rules.Score `json:"score,omitempty"`    // before a change
	NewRank  int         `json:"newRank,omitempty"`  // after a change; 0 if the member is not ranked any more
	NewScore rules.Score `json:"newScore,omitempty"` // after a change
	Moved    int         `json:"moved,omitempty"`    // how many others in a closed period have another ordinal rank because of the change; with Top not told of Rename and Merge
}

// Job is a change of closed periods that is in progress.
type Job struct {
	Entry  uint64     `json:"entry"`             // the number of its entry in the audit log
	Kind   audit.Kind `json:"kind"`              // of the change
	Member string     `json:"member,text"`       // whose places change
	To     string     `json:"to,text,omitempty"` // of a Rename or a Merge: the other member
	Done   int        `json:"done"`              // closed periods that are changed
	Total  int        `json:"total"`             // that were to be changed when it began
}

// Member is what a board has of a member.
type Member struct {
	Name    string    `json:"member,text"`      // the member's name
	Banned  bool      `json:"banned,omitempty"` // the board refuses its submissions: see Ban
	Hidden  bool      `json:"hidden,omitempty"` // it is in no ranking: see Hide
	Windows []History `json:"windows"`          // as in the spec
}

// History is the places of a member in the periods of a window.
type History struct {
	Window    string  `json:"window"`             // the window's name
	Places    []Place `json:"places"`             // closed periods, and then open ones, in order of time
	BestRank  Place   `json:"bestRank,omitzero"`  // the one with the best rank, of equals the earliest; zero if there are none
	BestScore Place   `json:"bestScore,omitzero"` // the one with the best score
}

// ClosedSubmission is a result for a closed period.
type ClosedSubmission struct {
	Window string      `json:"window"`      // the window's name
	Period string      `json:"period"`      // the name of a closed period of the window
	Score  rules.Score `json:"score"`       // the result; in Sum columns, the number to add
	At     time.Time   `json:"at,omitzero"` // when it happened: a time in the period; zero: its last microsecond
}

// Erased is what Boards.Erase has erased.
type Erased struct {
	Boards map[string]Moderated `json:"boards"`           // by board, those that had the member
	Unions []string             `json:"unions,omitempty"` // the stored unions that had it
	Groups []string             `json:"groups,omitempty"` // the kinds of groups that it was in
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
	awards.Difference
}

// Moderator changes what members have, in closed periods too, with an audit log.
type Moderator interface {
	// Ban removes a member from all open and closed periods, withholds its awards that wait, and makes
	// every later submission of it fail with ErrBanned, until Unban. The first commit removes it from
	// the open periods: once that is durable no submission of it counts.
	Ban(ctx context.Context, member string, a Action) (Moderated, error)
	// Unban ends the ban of a member: its submissions count again. What was removed stays removed.
	// O(1).
	Unban(ctx context.Context, member string, a Action) (Moderated, error)
	// Hide takes a member out of all rankings, in open and closed periods: it is in no list and has no
	// rank. Its scores stay and its submissions count, beside the rankings, until Show. The first
	// commit hides it in the open periods; closed periods follow as with Ban.
	Hide(ctx context.Context, member string, a Action) (Moderated, error)
	// Show undoes Hide: the member is where its scores put it, as if it had never been hidden, but for
	// results of equal score and time that have arrived while it was: those stand in the order of
	// members. Closed periods follow as with Ban. Errors: those of Hide; ErrNotHidden in place of
	// ErrHidden.
	Show(ctx context.Context, member string, a Action) (Moderated, error)
	// Rename gives a member another name: in open and closed periods with metadata and kept results,
	// in best ranks, baselines, the journal and the awards, whose ids stay. The first commit renames
	// it in the open periods; the rest follows as that of Ban. Errors: as Ban; ErrExists if the board
	// has places of the new name; ErrBanned if one of the two is banned; ErrBusy while one of them is
	// being changed; ErrHidden if one is hidden.
	Rename(ctx context.Context, member, to string, a Action) (Moderated, error)
	// Merge adds the results of one member to those of another, in every period, as if the other one
	// had submitted the score of the first at the time at which that was reached, or its kept results;
	// among equals of that time the result stays where it arrived. The first one is not ranked any
	// more. Errors: as Rename, but for ErrExists; those of the rules
	// if the score of an open period would be out of range: then nothing has changed.
	Merge(ctx context.Context, from, into string, a Action) (Moderated, error)
	// Erase erases a member from the board: from open and closed periods with metadata and kept
	// results, from best ranks, baselines, awards (granted or not), the journal and the index of
	// members; it deletes the Once keys that have the name in them. Errors: as Ban, but for ErrBanned.
	Erase(ctx context.Context, member string, a Action) (Moderated, error)
	// Correct submits a result of a member to one closed period, by the rules of the board, in one
	// commit with its entry in the audit log and, where the board has a journal, with a row by which
	// Revert can take it back.
	Correct(ctx context.Context, member string, sub ClosedSubmission, a Action) (Moderated, error)
	// Member returns what the board has of a member, banned or not: its places in all periods that are
	// kept. Ranks are ordinal, and 0 while the member is hidden; beyond the best n of a board with Top
	// they are those among all members in closed periods.
	Member(ctx context.Context, name string) (Member, error)
	// Audit iterates over the entries of the audit log that the filter selects, in order. O(entries
	// after filter.After). It yields at most one error, at the end: engine.ErrInTx, those of the engine.
	Audit(ctx context.Context, filter audit.Filter) iter.Seq2[audit.Entry, error]
	// AuditPlaces returns the places that the change of an entry of the audit log has changed so far.
	// O(places).
	AuditPlaces(ctx context.Context, number uint64) ([]Place, error)
	// IsBanned reports whether a member is banned.
	IsBanned(ctx context.Context, member string) (bool, error)
	// IsHidden reports whether a member is hidden.
	IsHidden(ctx context.Context, member string) (bool, error)
	// Jobs returns the changes that are in progress, in the order in which they began.
	Jobs(ctx context.Context) ([]Job, error)
}

package auditlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// Kind is what was done.
type Kind string

// The kinds of entries.
const (
	Ban     Kind = "ban"
	Unban   Kind = "unban"
	Hide    Kind = "hide"
	Show    Kind = "show"
	Revert  Kind = "revert"
	Erase   Kind = "erase"
	Rename  Kind = "rename"
	Merge   Kind = "merge"
	Correct Kind = "correct"
	Tier    Kind = "tier"
)

// Kinds are all kinds.
var Kinds = []Kind{Ban, Unban, Hide, Show, Revert, Erase, Rename, Merge, Correct, Tier}

// ParseKind returns the kind of a name. Error: ErrAction.
func ParseKind(name string) (Kind, error) {
	if !slices.Contains(Kinds, Kind(name)) {
		return "", fmt.Errorf("%w: %q is no kind of entry of the audit log", errs.ErrAction, name)
	}
	return Kind(name), nil
}

// Entry is an entry of the audit log: see board.AuditEntry.
type Entry struct {
	Number    uint64    `json:"number"`
	At        time.Time `json:"at"`
	Kind      Kind      `json:"kind"`
	Member    string    `json:"-"` // see stored
	To        string    `json:"-"`
	Hash      string    `json:"hash,omitempty"`
	ToHash    string    `json:"toHash,omitempty"`
	By        string    `json:"by"`
	Reason    string    `json:"reason,omitempty"`
	Rows      []uint64  `json:"rows,omitempty"` // of the journal, that Revert has reverted
	KeepRanks bool      `json:"keepRanks,omitempty"`
	Tier      string    `json:"tier,omitempty"` // that an operator has given the member
	Places    int       `json:"places"`         // how many AddPlaces has added
	Parts     uint64    `json:"parts"`          // by how many calls
	Awards    int       `json:"awards,omitempty"`
	Traces    []Trace   `json:"traces,omitempty"`
	Done      bool      `json:"done,omitempty"` // the change is complete
}

// Trace is what was left of a member outside of rankings, and has been erased: see board.Trace.
type Trace struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`
	Count int    `json:"count"`
}

// stored is the stored form of an entry, as JSON. Members may have bytes that are no UTF-8, so they are stored as bytes.
type stored struct {
	Entry
	Member []byte `json:"member,omitempty"`
	To     []byte `json:"to,omitempty"`
}

// Encode returns the stored form.
func (e *Entry) Encode() ([]byte, error) {
	return json.Marshal(stored{*e, []byte(e.Member), []byte(e.To)})
}

// Decode reads the stored form that a key has.
func Decode(key string, text []byte) (e Entry, err error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return e, fmt.Errorf("board: stored as %q: entry of the audit log: %w", key, err)
	}
	e = s.Entry
	e.Member, e.To = string(s.Member), string(s.To)
	return e, nil
}

// Place is a member's place in one ranking, and what has become of it: see board.Place.
type Place struct {
	Window   string      `json:"window"`
	Period   string      `json:"period"`
	Closed   bool        `json:"closed,omitempty"`
	Hidden   bool        `json:"hidden,omitempty"`
	Rank     int         `json:"rank,omitempty"`
	Members  int         `json:"members,omitempty"`
	Score    rules.Score `json:"score"`
	NewRank  int         `json:"newRank,omitempty"`
	NewScore rules.Score `json:"newScore"`
	Moved    int         `json:"moved,omitempty"`
}

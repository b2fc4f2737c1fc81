package auditlog

import (
	"time"

	"github.com/zrankdb/zrank/engine/board/rules"
)

// Kind is what was done.
type Kind string

// The kinds of entries.
const (
	Ban    Kind = "ban"
	Unban  Kind = "unban"
	Hide   Kind = "hide"
	Show   Kind = "show"
	Revert Kind = "revert"
	Erase  Kind = "erase"
	Rename Kind = "rename"
	Merge  Kind = "merge"
)

// Entry is an entry of the audit log: see board.AuditEntry. Members may have bytes that are no UTF-8, so they are stored as bytes.
type Entry struct {
	Number    uint64    `json:"number"`
	At        time.Time `json:"at"`
	Kind      Kind      `json:"kind"`
	Member    []byte    `json:"member,omitempty"`
	To        []byte    `json:"to,omitempty"` // the other member of Rename and Merge
	Hash      string    `json:"hash,omitempty"`
	ToHash    string    `json:"toHash,omitempty"`
	By        string    `json:"by"`
	Reason    string    `json:"reason,omitempty"`
	Rows      []uint64  `json:"rows,omitempty"` // of the journal, that Revert has reverted
	KeepRanks bool      `json:"keepRanks,omitempty"`
	Places    int       `json:"places"`         // how many AddPlaces has added
	Parts     uint64    `json:"parts"`          // by how many calls
	Done      bool      `json:"done,omitempty"` // the change is complete
}

// Place is a member's place in one ranking, and what has become of it: see board.Place.
type Place struct {
	Window   string      `json:"window"`
	Period   string      `json:"period"`
	Closed   bool        `json:"closed,omitempty"`
	Hidden   bool        `json:"hidden,omitempty"`
	Rank     int         `json:"rank,omitempty"`
	Score    rules.Score `json:"score"`
	NewRank  int         `json:"newRank,omitempty"`
	NewScore rules.Score `json:"newScore"`
	Moved    int         `json:"moved,omitempty"`
}

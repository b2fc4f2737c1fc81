package auditlog

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/board/audit"
)

// stored is the stored form of an entry, as JSON. Members may have bytes that are no UTF-8, so they are stored as bytes.
type stored struct {
	entry
	Member []byte `json:"member,omitempty"`
	To     []byte `json:"to,omitempty"`
}

// entry has the fields of audit.Entry, with the tags of the stored form and without methods: those
// write the JSON of answers.
type entry struct {
	Number    uint64        `json:"number"`
	At        time.Time     `json:"at"`
	Kind      audit.Kind    `json:"kind"`
	Member    string        `json:"-"`
	To        string        `json:"-"`
	Hash      string        `json:"hash,omitempty"`
	ToHash    string        `json:"toHash,omitempty"`
	By        string        `json:"by"`
	Reason    string        `json:"reason,omitempty"`
	Rows      []uint64      `json:"rows,omitempty"`
	KeepRanks bool          `json:"keepRanks,omitempty"`
	Tier      string        `json:"tier,omitempty"`
	Places    int           `json:"places"`
	Parts     uint64        `json:"parts"`
	Awards    int           `json:"awards,omitempty"`
	Traces    []audit.Trace `json:"traces,omitempty"`
	Done      bool          `json:"done,omitempty"`
}

// Encode returns the stored form.
func Encode(e *audit.Entry) ([]byte, error) {
	return json.Marshal(stored{entry(*e), []byte(e.Member), []byte(e.To)})
}

// Decode reads the stored form that a key has.
func Decode(key string, text []byte) (e audit.Entry, err error) {
	var s stored
	if err := json.Unmarshal(text, &s); err != nil {
		return e, fmt.Errorf("board: stored as %q: entry of the audit log: %w", key, err)
	}
	e = audit.Entry(s.entry)
	e.Member, e.To = string(s.Member), string(s.To)
	return e, nil
}

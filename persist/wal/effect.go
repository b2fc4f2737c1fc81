package wal

import "fmt"

// Kind says what an Effect did. The numbers are stored: they are never reused.
type Kind uint8

const (
	// Create: the set exists now; Value is its meta.
	Create Kind = 1 + iota
	// Put: Member has Value now.
	Put
	// Remove: Member is gone.
	Remove
	// Drop: the set is gone, members and all.
	Drop
	// Note: Value stands in the log, and nothing stored has changed. Only a follower shows notes.
	Note
)

var kindNames = [...]string{Create: "create", Put: "put", Remove: "remove", Drop: "drop", Note: "note"}

// String returns "create", "put", "remove", "drop" or "note".
func (k Kind) String() string {
	if k >= Create && k <= Note {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Effect is one absolute change to one set: applying it twice is the same as applying it once. A Note belongs to no set, and changes nothing.
type Effect struct {
	Kind   Kind   // what it did
	Set    string // the name of the set; "" of a Note
	Member []byte // Put, Remove
	Value  []byte // Create: meta; Put: value; Note: its bytes
}

package board

import (
	"time"
)

// GroupInfo describes a group.
type GroupInfo struct {
	Name    string    `json:"name"`    // the group's name
	Members int       `json:"members"` // who are in it, with a score or not
	Created time.Time `json:"created"` // to the microsecond
	Meta    []byte    `json:"meta"`    // nil: none
}

// Joining is a Member that joins a Group.
type Joining struct {
	Member string // who joins
	Group  string // the name of the group
}

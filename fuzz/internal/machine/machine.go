package machine

import "github.com/zrankdb/zrank/fuzz/internal/script"

// Machine is what scripts run on.
type Machine interface {
	Run(b script.Block) (replies []string, err error) // one reply for each operation
	Keys() ([]string, error)
	Between(op script.Op) error // one of betweenKinds; what means nothing to the machine does nothing
	Close() error
}

// Reference is a machine that says what others should answer. It loses nothing and can go back.
type Reference interface {
	Machine
	Save() (restores []func()) // the last brings back the world as it is now, those before it worlds in the middle of the last block; the time goes on
}

// Crashable is a machine whose process or power can end. What it has lost then is found by looking: F5.
type Crashable interface {
	Machine
	Promised() bool // nothing of what has been committed so far may be lost
	Crashed() bool  // the planted cut has happened
	Restart() error // from what that has left
}

// Selective is a machine that ignores some kinds of operations between blocks.
type Selective interface{ Does(kind string) bool }

// Evicting is a machine that counts the sets that have left memory.
type Evicting interface{ Evicted() int }

// Silent is a machine that may end before it answers.
type Silent interface{ Unanswered() bool }

// DiskKinds are the kinds that a machine without one passes over.
var DiskKinds = []string{"snapshot", "flush", "reopen", "kill", "cut", "plant", "check", "backup", "restore", "salvage"}

package fuzz

// machine is what scripts run on.
type machine interface {
	run(b block) (replies []string, err error) // one reply for each operation
	keys() ([]string, error)
	between(op Op) error // one of betweenKinds; what means nothing to the machine does nothing
	close() error
}

// reference is a machine that says what others should answer. It loses nothing and can go back.
type reference interface {
	machine
	save() (restores []func()) // the last brings back the world as it is now, those before it worlds in the middle of the last block; the time goes on
}

// loser is a machine whose process or power can end. What it has lost then is found by looking: F5.
type loser interface {
	machine
	promised() bool // nothing of what has been committed so far may be lost
	struck() bool   // the planted cut has happened
	restart() error // from what that has left
}

// selective is a machine that ignores some kinds of operations between blocks.
type selective interface{ does(kind string) bool }

// evicting is a machine that counts the sets that have left memory.
type evicting interface{ evicted() int }

// silent is a machine that may end before it answers.
type silent interface{ unanswered() bool }

// aboutDisk are the kinds that a machine without one passes over.
var aboutDisk = []string{"snapshot", "flush", "reopen", "kill", "cut", "plant", "check", "backup", "restore", "salvage"}

package machine

import "github.com/zrankdb/zrank/fuzz/internal/script"

// Machine runs blocks and the operations between them.
type Machine interface {
	Run(b script.Block) (replies []string, err error) // one reply for each operation
	Keys() ([]string, error)
	Between(op script.Op) error // runs an operation with the trait script.Between, or ignores it: see Selective
	Close() error
}

// Reference is an oracle: a machine that says what others should reply. It loses nothing and can go back to earlier worlds.
type Reference interface {
	Machine
	// Save returns functions that bring back worlds. The last one brings back the present world. If the last block made several commits, the
	// others bring back the worlds after the earlier ones. None moves the clock.
	Save() (restores []func())
}

// Crashable is a machine whose process can be killed, or whose power can fail. The runner reads its contents to find out what it has lost: F5.
type Crashable interface {
	Machine
	Promised() bool // a crash now must not lose any commit
	Crashed() bool  // a planted cut or kill has happened
	Restart() error // from what the crash has left
}

// Selective is a machine that ignores some kinds of operations between blocks.
type Selective interface{ Does(kind string) bool }

// Evicting is a machine that counts the sets that have left memory.
type Evicting interface{ Evicted() int }

// Numbered is a machine that numbers its commits. Two worlds of an oracle may look alike until results leave a rolling window; the numbers tell
// which of them a crash has left.
type Numbered interface {
	Seq() uint64   // the last commit
	Found() uint64 // the last commit that was there when the engine was opened, before it made any
}

// Silent is a machine that may be killed before it replies.
type Silent interface{ Unanswered() bool }

// DiskKinds are the kinds that a machine without a disk ignores.
var DiskKinds = []string{"snapshot", "flush", "reopen", "kill", "cut", "plant", "check", "backup", "restore", "salvage", "compact"}

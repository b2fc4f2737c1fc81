package fuzz

import (
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Config is a configuration: which layers a script runs on, and how they are set up.
type Config struct {
	Name          string
	SnapshotEvery int // blocks; 0: only where the script says
	ReopenEvery   int
	open          func() (machine, error)
}

// Oracle is the configuration that all others are compared with.
var Oracle = Config{Name: "model", open: func() (machine, error) { return newPlain(newOracleSet, nil), nil }}

// Sets are configurations of zset alone: each encoding, and the move between them at hard places.
func Sets() []Config {
	of := func(name string, o zset.Options) Config {
		return Config{Name: "zset/" + name, open: func() (machine, error) { return zsetMachine(o) }}
	}
	return []Config{
		of("default", zset.Options{}),
		of("listpack", zset.Options{MaxListpackEntries: 1 << 15, MaxListpackMember: 1 << 12}),
		of("skiplist", zset.Options{MaxListpackEntries: -1}),
		of("entries=1", zset.Options{MaxListpackEntries: 1}),
		of("entries=7,member=2", zset.Options{MaxListpackEntries: 7, MaxListpackMember: 2}),
	}
}

// Memory is an engine that keeps everything in memory.
func Memory() Config {
	return Config{Name: "engine/memory", open: func() (machine, error) { return newEngine(engine.Options{}) }}
}

// Durable are engines on a file system in memory, at each level, with snapshots and restarts seldom and often.
func Durable() []Config {
	of := func(name string, o engine.Options, snapshots, reopens int) Config {
		return Config{Name: "engine/" + name, SnapshotEvery: snapshots, ReopenEvery: reopens, open: func() (machine, error) {
			o.FS = persist.MemFS()
			return newEngine(o)
		}}
	}
	return []Config{
		of("sync", engine.Options{SnapshotBytes: 2 << 10}, 0, 0),
		of("sync,log only", engine.Options{SnapshotBytes: -1}, 0, 40),
		of("sync,snapshot=3,reopen=10", engine.Options{SnapshotBytes: -1}, 3, 10),
		of("interval", engine.Options{Durability: engine.Interval, Interval: time.Millisecond, SnapshotBytes: 1 << 10}, 0, 50),
		of("none,snapshot=7,reopen=30", engine.Options{Durability: engine.None, SnapshotBytes: 1}, 7, 30),
	}
}

// All are all configurations but the oracle.
func All() []Config { return append(append(Sets(), Memory()), Durable()...) }

package fuzz

import (
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Config is a configuration: which layer a script runs on, how it is set up, and what the runner does to it in between.
type Config struct {
	Name  string
	Layer string // the topmost one: "listpack", "skiplist", "zset", "engine", "board" or "resp"
	Rates []Rate

	open   func() (machine, error)
	oracle func() reference // nil: newOracle
	has    func(Op) bool    // what the layer has: F6; nil: everything
}

// Rate puts an operation in after every so many blocks.
type Rate struct {
	Op    Op
	Every int
}

// can reports whether the configuration runs an operation, or skips it.
func (c Config) can(op Op) bool {
	return (c.Layer == "board" || !op.is(onBoard)) && (c.has == nil || c.has(op))
}

// rates reads pairs of an operation and how often it is put in: "cut 50", 7, "reopen", 20.
func rates(pairs ...any) (list []Rate) {
	for i := 0; i < len(pairs); i += 2 {
		op, err := parseOp(pairs[i].(string))
		if err != nil {
			panic(err)
		}
		list = append(list, Rate{op, pairs[i+1].(int)})
	}
	return list
}

// Sets are configurations of zset alone: each encoding, and the move between them at hard places.
func Sets() (list []Config) {
	for _, o := range []zset.Options{
		{},
		{MaxListpackEntries: 1 << 15, MaxListpackMember: 1 << 12},
		{MaxListpackEntries: -1},
		{MaxListpackEntries: 1},
		{MaxListpackEntries: 7, MaxListpackMember: 2},
	} {
		list = append(list, Config{
			Name:   fmt.Sprintf("zset/entries=%d,member=%d", o.MaxListpackEntries, o.MaxListpackMember),
			Layer:  "zset",
			has:    func(op Op) bool { return !op.is(whole) },
			oracle: floatOracle,
			open:   func() (machine, error) { return zsetMachine(o) },
		})
	}
	return list
}

// engineConfig is a configuration of an engine. With a disk it is on one of its own, in memory.
func engineConfig(name string, o engine.Options, stored bool, group int, list ...Rate) Config {
	return Config{Name: "engine/" + name, Layer: "engine", Rates: list, open: func() (machine, error) {
		if !stored {
			return newEngine(o, nil, group)
		}
		return newEngine(o, newDisk(), group)
	}}
}

// Memory is an engine that keeps everything in memory.
func Memory() Config { return engineConfig("memory", engine.Options{}, false, 0) }

// Durable are engines with a disk, at each level, with snapshots and restarts seldom and often.
func Durable() []Config {
	of := func(name string, o engine.Options, group int, pairs ...any) Config {
		return engineConfig(name, o, true, group, rates(pairs...)...)
	}
	sync := engine.Options{SnapshotBytes: -1}
	interval := engine.Options{Durability: engine.Interval, Interval: time.Millisecond, SnapshotBytes: 1 << 10}
	none := engine.Options{Durability: engine.None, SnapshotBytes: 1}
	return []Config{
		of("sync", engine.Options{SnapshotBytes: 2 << 10}, 0),
		of("sync,log only", sync, 0, "reopen", 40),
		of("sync,snapshot=3,reopen=10", sync, 0, "snapshot", 3, "reopen", 10),
		of("sync,kill=20", sync, 0, "kill", 20, "snapshot", 33),
		of("sync,cut=15", engine.Options{SnapshotBytes: 1}, 0, "cut 0", 15, "cut 50", 47),
		of("sync,planted", engine.Options{SnapshotBytes: 1 << 10}, 0, "plant 50 13", 11, "plant 0 5", 17, "snapshot", 13),
		of("sync,group=8", sync, 8, "cut 50", 15, "kill", 29),
		of("interval", interval, 0, "reopen", 50),
		of("interval,cut=20", interval, 0, "cut 0", 20, "cut 70", 31),
		of("none,snapshot=7,reopen=30", none, 0, "snapshot", 7, "reopen", 30),
		of("none,cut=20", engine.Options{Durability: engine.None, SnapshotBytes: -1}, 0, "cut 50", 20, "snapshot", 31, "flush", 9),
	}
}

// All are all configurations.
func All() []Config {
	return slices.Concat(Structures(), Sets(), []Config{Memory()}, Durable(), Boards(), Servers())
}

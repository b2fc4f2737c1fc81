package engines

import (
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
)

// Config returns a configuration of an engine: in memory or, if it is stored, on a disk of its own.
func Config(name string, o engine.Options, stored bool, group int, list ...machine.Rate) machine.Config {
	return machine.Config{Name: "engine/" + name, Layer: "engine", Rates: list, Light: !stored, Open: func() (machine.Machine, error) {
		return New(o, stored, group).Opened()
	}}
}

// Memory returns an engine in memory.
func Memory() machine.Config { return Config("memory", engine.Options{}, false, 0) }

// Volatile returns engines in memory.
func Volatile() []machine.Config {
	return []machine.Config{
		Memory(),
		Config("memory,skiplist", engine.Options{MaxListpackEntries: -1}, false, 0),
		Config("memory,entries=5,member=3", engine.Options{MaxListpackEntries: 5, MaxListpackMember: 3}, false, 3),
	}
}

// Durable returns engines with a disk: all levels of durability, snapshots, restarts, kills and power cuts at several rates, little memory.
func Durable() []machine.Config {
	return slices.Concat(synced(), littleMemory(), unsynced())
}

// Stored returns a configuration of an engine with a disk.
func Stored(name string, o engine.Options, group int, pairs ...any) machine.Config {
	return Config(name, o, true, group, machine.Rates(pairs...)...)
}

// synced returns engines that lose no acknowledged commit.
func synced() []machine.Config {
	log, often := engine.Options{SnapshotBytes: -1}, engine.Options{SnapshotBytes: 1}
	return []machine.Config{
		Stored("sync", engine.Options{SnapshotBytes: 2 << 10}, 0),
		Stored("sync,reopen=40", log, 0, "reopen", 40),
		Stored("sync,snapshot=3,reopen=10", log, 0, "snapshot", 3, "reopen", 10),
		Stored("sync,skiplist,reopen=9", engine.Options{SnapshotBytes: -1, MaxListpackEntries: -1}, 0, "reopen", 9, "snapshot", 25),
		Stored("sync,kill=20", log, 0, "kill", 20, "snapshot", 33),
		Stored("sync,cut=15", often, 0, "cut 0", 15, "cut 50", 47),
		Stored("sync,planted=11", engine.Options{SnapshotBytes: 1 << 10}, 0, "plant 50 13", 11, "plant 0 5", 17, "snapshot", 13),
		Stored("sync,planted=3", log, 0, "plant 0 2", 3, "plant 100 1", 10),
		Stored("sync,group=8", log, 8, "cut 50", 15, "kill", 29),
		Stored("sync,group=40,planted=9", often, 40, "plant 30 7", 9),
		Stored("sync,check=20", engine.Options{SnapshotBytes: 4 << 10}, 0, "check", 20, "snapshot", 45),
		Stored("sync,copies", log, 0, "backup", 41, "restore", 53, "salvage", 67, "snapshot", 31),
		Stored("sync,compact=17,planted=7", log, 0, "compact", 17, "plant 50 23", 7, "plant 0 41", 13, "snapshot", 29),
	}
}

// littleMemory returns engines that evict and load sets.
func littleMemory() []machine.Config {
	return []machine.Config{
		Stored("sync,limit=1", engine.Options{MemoryLimit: 1, SnapshotBytes: -1}, 0, "snapshot", 10),
		Stored("sync,limit=4096,kill=30", engine.Options{MemoryLimit: 4 << 10, SnapshotBytes: 1}, 0, "kill", 30),
		Stored("sync,evict=2", engine.Options{SnapshotBytes: 1 << 10}, 0, "evict", 2, "snapshot", 5, "reopen", 60),
		Stored("none,limit=1,cut=25", engine.Options{Durability: engine.None, MemoryLimit: 1, SnapshotBytes: 1}, 0, "cut 20", 25),
	}
}

// unsynced returns engines that may lose commits that have not been flushed.
func unsynced() []machine.Config {
	interval := engine.Options{Durability: engine.Interval, Interval: time.Millisecond, SnapshotBytes: 1 << 10}
	none := engine.Options{Durability: engine.None, SnapshotBytes: -1}
	return []machine.Config{
		Stored("interval,reopen=50", interval, 0, "reopen", 50),
		Stored("interval,cut=20", interval, 0, "cut 0", 20, "cut 70", 31),
		Stored("interval,group=5,planted=13", interval, 5, "plant 10 4", 13),
		Stored("none,snapshot=7,reopen=30", none, 0, "snapshot", 7, "reopen", 30),
		Stored("none,cut=20", none, 0, "cut 50", 20, "snapshot", 31, "flush", 9),
		Stored("none,planted=13,evict=5", none, 0, "plant 50 20", 13, "evict", 5, "snapshot", 8),
	}
}

// Boards returns engines with leaderboards.
func Boards() []machine.Config {
	of := func(name string, o engine.Options, stored bool, group int, pairs ...any) machine.Config {
		return machine.Config{Name: "board/" + name, Layer: "board", Rates: machine.Rates(pairs...), Light: !stored, Oracle: oracle.NewBoards, Open: func() (machine.Machine, error) {
			m := New(o, stored, group)
			m.layered = true
			return m.Opened()
		}}
	}
	sync := engine.Options{SnapshotBytes: -1}
	interval := engine.Options{Durability: engine.Interval, Interval: time.Millisecond, SnapshotBytes: 4 << 10}
	return []machine.Config{
		of("memory", engine.Options{}, false, 0, "reopen", 50),
		of("sync", engine.Options{SnapshotBytes: 4 << 10}, true, 0, "reopen", 40),
		of("sync,kill=20,snapshot=9", sync, true, 0, "kill", 20, "snapshot", 9),
		of("sync,cut=15", engine.Options{SnapshotBytes: 1}, true, 0, "cut 0", 15, "cut 50", 47),
		of("sync,planted", engine.Options{SnapshotBytes: 4 << 10}, true, 0, "plant 50 13", 7, "plant 0 5", 11, "snapshot", 31),
		of("sync,evict,reopen=30", engine.Options{MemoryLimit: 1, SnapshotBytes: 1}, true, 0, "reopen", 30),
		of("sync,group=8", sync, true, 8, "cut 50", 15),
		of("sync,copies,check=20", sync, true, 0, "backup", 41, "restore", 53, "salvage", 67, "check", 20, "snapshot", 31),
		of("sync,compact=23,planted=9", sync, true, 0, "compact", 23, "plant 50 19", 9),
		of("interval,cut=20", interval, true, 0, "cut 0", 20, "cut 70", 31),
		of("none,cut=20", engine.Options{Durability: engine.None, SnapshotBytes: -1}, true, 0, "cut 50", 20, "snapshot", 31, "flush", 9),
	}
}

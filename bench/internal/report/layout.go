package report

import (
	"github.com/zrankdb/zrank/bench/internal/durable"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The kinds of sheets.
const (
	Durable  = "durable"
	Recover  = "recover"
	Engine   = "engine"
	Keyspace = "keyspace"
	Pauses   = "pauses"
	Boards   = "boards"
	Resp     = "resp"
	Growth   = "growth"
	Latency  = "latency"
)

// The lines of a Recover sheet.
const (
	LineClean         = "clean"
	LineCold          = "clean/cold"
	LineKilled        = "killed"
	LineBeside        = "killed/beside"
	LineStallSync     = "stall/sync"
	LineStillSync     = "still/sync"
	LineStallInterval = "stall/interval"
	LineStillInterval = "still/interval"
	LineZipf          = "amplify/zipf"
	LineUniform       = "amplify/uniform"
	LineRedis         = "redis"
)

const (
	zrank = durable.Zrank
	// Redis is the peer that loads the same set.
	Redis = "redis"
)

// layout says how a kind of sheet is shown, and what it is held against.
type layout struct {
	grids   []grid
	callers []callerLine
	facts   []fact
	goals   []Goal
	notes   string
	redis   bool // it is a peer, where there is one
}

// callerLine is a row for every system that has calls of that line. The second system is the peer.
type callerLine struct {
	line, title string
	systems     []string
}

// fact is a row with one figure of ours, and that of Redis if it has one to compare with.
type fact struct {
	title  string
	line   string
	metric figure.Metric
	redis  bool // its time to load the same set compares
}

var layouts = map[string]layout{
	Durable: {
		callers: durableLines(),
		goals: []Goal{
			{What: "updates/s, Sync, 256 callers", Line: "sync/256", Metric: figure.Rate, Peer: durable.Pebble, Limit: 0.8},
			{What: "updates/s, Sync, 256 a commit", Line: "sync/batch", Metric: figure.Rate, Peer: durable.Pebble, Limit: 0.7},
			{What: "updates/s, Interval(100ms)", Line: "interval", Metric: figure.Rate, Peer: durable.Memory, Limit: 0.6, At: 1e6},
		},
		notes: "pebble: alone, with Commit(Sync), or NoSync for None, and the same callers; memory: this engine without a disk.\n" +
			"A caller makes its next call when the last one has returned. Times are of those calls; worst: of all rounds; calls: a round.",
	},
	Recover: {
		callers: []callerLine{
			{LineStallSync, "Sync, during snapshots", ours1},
			{LineStillSync, "Sync, without", ours1},
			{LineStallInterval, "Interval, during snapshots", ours1},
			{LineStillInterval, "Interval, without", ours1},
		},
		facts: []fact{
			{"open after a clean close", LineClean, figure.Open, true},
			{"first touch: a rank", LineClean, figure.Touch, true},
			{"open, files not in memory", LineCold, figure.Open, true},
			{"first touch, files not in memory", LineCold, figure.Touch, true},
			{"memory after the open", LineClean, figure.MemoryOpen, false},
			{"memory after the touch", LineClean, figure.MemoryTouched, false},
			{"memory, the most until then", LineClean, figure.MemoryPeak, false},
			{"Redis loads the same set", LineRedis, figure.Open, false},
			{"open after kill -9", LineKilled, figure.Open, false},
			{"  commits replayed", LineKilled, figure.Commits, false},
			{"  length of the log", LineKilled, figure.Log, false},
			{"  memory, the most", LineKilled, figure.MemoryPeak, false},
			{"open after kill -9, log of other sets", LineBeside, figure.Open, false},
			{"  commits replayed", LineBeside, figure.Commits, false},
			{"snapshot at Sync, a twentieth changed", LineStallSync, figure.Snapshot, false},
			{"snapshot at Interval", LineStallInterval, figure.Snapshot, false},
			{"bytes of pages per byte of log, zipf", LineZipf, figure.PagesPerLog, false},
			{"bytes of pages per byte of log, uniform", LineUniform, figure.PagesPerLog, false},
			{"bytes of all files per byte of log, zipf", LineZipf, figure.FilesPerLog, false},
			{"bytes of all files per byte of log, uniform", LineUniform, figure.FilesPerLog, false},
		},
		goals: []Goal{
			{What: "open after a clean close", Line: LineClean, Metric: figure.Open, Limit: 50, At: 1e7},
			{What: "first touch", Line: LineClean, Metric: figure.Touch, Limit: 4000, At: 1e7},
			{What: "open after kill -9, 64 MB of log", Line: LineKilled, Metric: figure.Open, Limit: 2000, Log: 64e6},
			{What: "the same, log of other sets", Line: LineBeside, Metric: figure.Open, Limit: 2000, Log: 64e6},
			{What: "p99.9 during snapshots, Sync", Line: LineStallSync, Metric: figure.P999, Limit: 2e6, At: 1e7},
			{What: "p99.9 during snapshots, Interval", Line: LineStallInterval, Metric: figure.P999, Limit: 2e6, At: 1e7},
		},
		notes: "Every figure is of a fresh process. Calls: 4,000 a second from 64 writers, timed from when each was due; worst: of all rounds.\n" +
			"Pages and files: what is written for each byte of log, with a snapshot after every length of log, compaction included.",
		redis: true,
	},
	Engine:   engineLayout(),
	Keyspace: keyspaceLayout(),
	Pauses:   pausesLayout(),
	Boards:   boardsLayout(),
	Resp:     respLayout(),
	Growth:   growthLayout(),
	Latency:  latencyLayout(),
}

var ours1 = []string{zrank}

func durableLines() []callerLine {
	var list []callerLine
	for _, c := range durable.Cases {
		list = append(list, callerLine{c.Name, c.Title, c.Systems})
	}
	return list
}

package figure

import "strings"

// Metric names one figure.
type Metric string

// Of callers: what they reach, and how long each of their calls takes.
const (
	Rate        Metric = "per_second"
	Calls       Metric = "calls" // that the percentiles are of
	P50         Metric = "p50_ns"
	P99         Metric = "p99_ns"
	P999        Metric = "p999_ns"
	Max         Metric = "max_ns"
	Collections Metric = "collections" // that ran while calls were timed
	CPUCall     Metric = "cpu_call_ns" // CPU time of the server for a call, kernel included
)

// Of a sorted set.
const (
	Call    Metric = "call_ns"      // the mean of a loop of calls
	Member  Metric = "member_bytes" // of memory, of each member
	GC      Metric = "gc_ms"        // CPU time of a full collection, all threads together
	Slowest Metric = "slowest_ms"   // CPU time of the slowest call
	Allocs  Metric = "allocs"       // objects allocated by a call

	AllocBytes Metric = "alloc_bytes" // bytes allocated by a call
)

// Of an engine on a disk.
const (
	Open          Metric = "open_ms"
	Touch         Metric = "touch_ms"     // the first read
	TouchCPU      Metric = "touch_cpu_ms" // its CPU time, all threads together
	Close         Metric = "close_ms"
	Fill          Metric = "fill_ms"
	Took          Metric = "took_ms" // of what happens while others call
	Migrate       Metric = "migrate_ms"
	MemoryOpen    Metric = "memory_open_bytes"
	MemoryTouched Metric = "memory_touched_bytes"
	MemoryPeak    Metric = "memory_peak_bytes"
	Commits       Metric = "commits_replayed"
	Log           Metric = "log_bytes"
	Disk          Metric = "disk_bytes"
	Snapshot      Metric = "snapshot_ms"
	Snapshots     Metric = "snapshots"
	PagesPerLog   Metric = "page_bytes_per_log_byte"
	FilesPerLog   Metric = "file_bytes_per_log_byte"
)

// Bytes of one small set, and of one player in one window of a board.
const (
	SetBytes    Metric = "set_bytes"
	SetOwn      Metric = "set_own_bytes" // its key and its entries
	SetOverhead Metric = "set_overhead_bytes"
	SetDisk     Metric = "set_disk_bytes"
	SetCold     Metric = "set_cold_bytes" // of memory, before the set is loaded
	Live        Metric = "live_bytes"
	Closed      Metric = "closed_bytes" // in memory
	Stored      Metric = "stored_bytes" // on the disk
	Files       Metric = "files_bytes"  // of the whole directory
)

// Resident memory of a server.
const (
	Empty  Metric = "memory_empty_bytes"
	Filled Metric = "memory_filled_bytes" // with all members, after a pause
	Loaded Metric = "memory_loaded_bytes" // after the calls
)

// Figures are what one run measured of one line. What it cannot measure is absent.
type Figures map[Metric]float64

// Unit is what a figure is counted in.
type Unit string

// The units.
const (
	PerSecond    Unit = "/s"
	Nanoseconds  Unit = "ns"
	Milliseconds Unit = "ms"
	Bytes        Unit = "B"
	BytesEach    Unit = "B each" // bytes of one item, not scaled to MB
	Objects      Unit = "allocs"
	Times        Unit = "x"
	Count        Unit = ""
)

// Unit returns the unit, which the name ends in.
func (m Metric) Unit() Unit {
	switch m {
	case Rate:
		return PerSecond
	case Allocs:
		return Objects
	case PagesPerLog, FilesPerLog:
		return Times
	case AllocBytes, Member, SetBytes, SetOwn, SetOverhead, SetDisk, SetCold, Live, Closed, Stored, Files:
		return BytesEach
	}
	for suffix, unit := range suffixes {
		if strings.HasSuffix(string(m), suffix) {
			return unit
		}
	}
	return Count
}

var suffixes = map[string]Unit{"_ns": Nanoseconds, "_ms": Milliseconds, "_bytes": Bytes}

// Title returns the name without the unit, for a reader.
func (m Metric) Title() string {
	switch m {
	case Rate:
		return "calls/s"
	case P999:
		return "p99.9"
	case Max:
		return "worst"
	}
	name := string(m)
	for suffix := range suffixes {
		name = strings.TrimSuffix(name, suffix)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// Direction says which way a figure is better.
type Direction string

// The directions.
const (
	Less    Direction = "less"
	More    Direction = "more"
	Neither Direction = "neither" // it says how much was done, not how well
)

// Better returns which way the metric is better.
func (m Metric) Better() Direction {
	switch m {
	case Rate:
		return More
	case Calls, Commits, Log, Snapshots, SetOwn, Collections:
		return Neither
	}
	return Less
}

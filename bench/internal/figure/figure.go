// Package figure names what the commands other than compare find: one number each, under a name that JSON keeps.
package figure

// Metric names one figure.
type Metric string

// Of callers: what they reach, and how long each of their calls takes.
const (
	Rate  Metric = "per_second"
	Calls Metric = "calls" // how many the percentiles are of
	P50   Metric = "p50_ns"
	P99   Metric = "p99_ns"
	P999  Metric = "p999_ns"
	Max   Metric = "max_ns"
)

// Of opening an engine.
const (
	Open          Metric = "open_ms"
	Touch         Metric = "touch_ms"
	MemoryOpen    Metric = "memory_open_bytes"
	MemoryTouched Metric = "memory_touched_bytes"
	MemoryPeak    Metric = "memory_peak_bytes"
	Commits       Metric = "commits_replayed"
	Log           Metric = "log_bytes"
	Disk          Metric = "disk_bytes"
)

// Of snapshots.
const (
	Snapshot    Metric = "snapshot_ms"
	Snapshots   Metric = "snapshots"
	PagesPerLog Metric = "page_bytes_per_log_byte"
	FilesPerLog Metric = "file_bytes_per_log_byte"
)

// Took is how long something took that others had to bear.
const Took Metric = "took_ms"

// Of very many small sets. The bytes are of one set.
const (
	Fill        Metric = "fill_ms"
	Close       Metric = "close_ms"
	SetBytes    Metric = "set_bytes"
	SetOwn      Metric = "set_own_bytes" // its key and its entries
	SetOverhead Metric = "set_overhead_bytes"
	SetDisk     Metric = "set_disk_bytes"
	SetCold     Metric = "set_cold_bytes" // of memory, before it is touched
)

// Of a board's periods. The bytes are of one player in one window.
const (
	Live    Metric = "live_bytes"
	Closed  Metric = "closed_bytes" // in memory
	Stored  Metric = "stored_bytes" // on the disk
	Files   Metric = "files_bytes"  // of the whole directory
	Migrate Metric = "migrate_ms"
)

// Of a server's process.
const (
	Empty   Metric = "memory_empty_bytes"  // before anything is in
	Filled  Metric = "memory_filled_bytes" // with all members in, after a pause
	Loaded  Metric = "memory_loaded_bytes" // after the calls
	Member  Metric = "member_bytes"        // of memory, of each member; of a process: Filled over Empty
	CPUCall Metric = "cpu_call_ns"         // that the server works for a call, kernel included
)

// Of a sorted set, as it grows, and of its single calls.
const (
	Call        Metric = "call_ns"     // the mean of a loop of calls
	GC          Metric = "gc_ms"       // CPU time of a full collection, all threads together
	Collections Metric = "collections" // that ran while calls were timed
)

// Figures are what one run found. What it cannot know is absent.
type Figures map[Metric]float64

// Lines are the figures of each line of a table that one run found.
type Lines map[string]Figures

// Unit is what a figure is counted in.
type Unit string

// The units.
const (
	PerSecond    Unit = "/s"
	Nanoseconds  Unit = "ns"
	Milliseconds Unit = "ms"
	Bytes        Unit = "B"
	Count        Unit = ""
	Times        Unit = "x"
	Small        Unit = "B each" // bytes that are few
)

var units = map[Metric]Unit{
	Rate: PerSecond, Calls: Count, P50: Nanoseconds, P99: Nanoseconds, P999: Nanoseconds, Max: Nanoseconds,
	Open: Milliseconds, Touch: Milliseconds, MemoryOpen: Bytes, MemoryTouched: Bytes, MemoryPeak: Bytes, Commits: Count,
	Log: Bytes, Disk: Bytes, Snapshot: Milliseconds, Snapshots: Count, PagesPerLog: Times, FilesPerLog: Times,
	Took: Milliseconds, Fill: Milliseconds, Close: Milliseconds, SetBytes: Small, SetOwn: Small, SetOverhead: Small, SetDisk: Small, SetCold: Small,
	Empty: Bytes, Filled: Bytes, Loaded: Bytes, Member: Small, CPUCall: Nanoseconds,
	Live: Small, Closed: Small, Stored: Small, Files: Small, Migrate: Milliseconds,
	Call: Nanoseconds, GC: Milliseconds, Collections: Count,
}

// Unit returns what the metric is counted in.
func (m Metric) Unit() Unit { return units[m] }

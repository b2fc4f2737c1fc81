package measure

// Metric names one figure. For every one of them less is better.
type Metric string

// The figures of one peer.
const (
	Build    Metric = "build"
	Score    Metric = "score"
	Update   Metric = "update"
	Update1k Metric = "update_1k"
	Incr     Metric = "incr"
	Rank     Metric = "rank"
	Page     Metric = "page"
	Walk     Metric = "walk"
	Bytes    Metric = "bytes"
	Churned  Metric = "bytes_churned"
	Small    Metric = "bytes_small"
	GC       Metric = "gc"
	GCEmpty  Metric = "gc_empty"
	Slowest  Metric = "slowest_insert"

	AllocsBuild  Metric = "allocs_build"
	AllocsScore  Metric = "allocs_score"
	AllocsUpdate Metric = "allocs_update"
	AllocsIncr   Metric = "allocs_incr"
	AllocsRank   Metric = "allocs_rank"
	AllocsPage   Metric = "allocs_page"
	AllocsWalk   Metric = "allocs_walk"
)

// Unit is what a metric is counted in.
type Unit string

// The units.
const (
	Nanoseconds  Unit = "ns"
	Milliseconds Unit = "ms"
	Byte         Unit = "B"
	Objects      Unit = "allocs"
)

// Description says what a metric is, for a reader of the report.
type Description struct {
	Metric Metric
	Title  string
	Unit   Unit
	// Best means that over the repetitions the least counts, not the median: the figure is a maximum, and what the machine
	// did in one repetition it does not do in all.
	Best bool
}

// Descriptions is every metric, in the order of the report.
var Descriptions = []Description{
	{Build, "build, per random insert", Nanoseconds, false},
	{Score, "score look-up", Nanoseconds, false},
	{Update, "update to a new random score", Nanoseconds, false},
	{Update1k, "the same in a board of 1,000", Nanoseconds, false},
	{Incr, "increment, zipf", Nanoseconds, false},
	{Rank, "rank of a member", Nanoseconds, false},
	{Page, "page of 100 in the middle, copied", Nanoseconds, false},
	{Walk, "walk over 100 in the middle", Nanoseconds, false},
	{Bytes, "memory per member, all in", Byte, false},
	{Churned, "the same after the updates", Byte, false},
	{Small, "the same in boards of 128", Byte, false},
	{GC, "full GC with the board live, CPU", Milliseconds, false},
	{GCEmpty, "full GC before the build, CPU", Milliseconds, false},
	{Slowest, "slowest insert, CPU, GC off", Milliseconds, true},
	{AllocsBuild, "allocations per insert", Objects, false},
	{AllocsScore, "allocations per look-up", Objects, false},
	{AllocsUpdate, "allocations per update", Objects, false},
	{AllocsIncr, "allocations per increment", Objects, false},
	{AllocsRank, "allocations per rank", Objects, false},
	{AllocsPage, "allocations per page", Objects, false},
	{AllocsWalk, "allocations per walk", Objects, false},
}

// Figures are what one run found. A metric that the peer cannot have is absent.
type Figures map[Metric]float64

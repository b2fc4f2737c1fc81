package measure

// Metric names one figure. For every one of them less is better.
type Metric string

// The figures of one peer.
const (
	Build          Metric = "build"
	Replay         Metric = "replay" // of a file; absent with other workloads
	Score          Metric = "score"
	Update         Metric = "update"
	Update1k       Metric = "update_1k"
	UpdateFraction Metric = "update_fraction"
	Incr           Metric = "incr"
	Churn          Metric = "remove_add"
	Rank           Metric = "rank"
	Page           Metric = "page"
	Walk           Metric = "walk"

	Bytes         Metric = "bytes"
	BytesUpdated  Metric = "bytes_updated"
	BytesFraction Metric = "bytes_fraction"
	BytesSmall    Metric = "bytes_small"
	BytesLeft     Metric = "bytes_left"
	BytesAnew     Metric = "bytes_anew"

	GC      Metric = "gc"
	GCEmpty Metric = "gc_empty"
	Slowest Metric = "slowest_update"

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
	// Ranked means that a peer without ranks has to count, in O(n).
	Ranked bool
	// Core means that a growth is shown by it.
	Core bool
}

// Descriptions is every metric, in the order of the report. A title is at most 30 characters and stands by itself.
var Descriptions = []Description{
	{Metric: Build, Title: "build, a random insert", Unit: Nanoseconds},
	{Metric: Replay, Title: "replay, an event of the file", Unit: Nanoseconds},
	{Metric: Score, Title: "score look-up", Unit: Nanoseconds, Core: true},
	{Metric: Update, Title: "update to a new random score", Unit: Nanoseconds, Core: true},
	{Metric: Update1k, Title: "update in a board of 1,000", Unit: Nanoseconds},
	{Metric: UpdateFraction, Title: "update, scores in [0, 1)", Unit: Nanoseconds},
	{Metric: Incr, Title: "increment, zipf", Unit: Nanoseconds},
	{Metric: Churn, Title: "remove and add again", Unit: Nanoseconds},
	{Metric: Rank, Title: "rank of a member", Unit: Nanoseconds, Ranked: true, Core: true},
	{Metric: Page, Title: "page of 100, middle, copied", Unit: Nanoseconds, Ranked: true, Core: true},
	{Metric: Walk, Title: "walk over 100, middle", Unit: Nanoseconds, Ranked: true},
	{Metric: Bytes, Title: "memory per member, all in", Unit: Byte, Core: true},
	{Metric: BytesUpdated, Title: "memory after the updates", Unit: Byte},
	{Metric: BytesFraction, Title: "memory, scores in [0, 1)", Unit: Byte},
	{Metric: BytesSmall, Title: "memory in boards of 128", Unit: Byte},
	{Metric: BytesLeft, Title: "memory with 90 % removed", Unit: Byte},
	{Metric: BytesAnew, Title: "memory, the rest built anew", Unit: Byte},
	{Metric: GC, Title: "full GC, board live, CPU", Unit: Milliseconds, Core: true},
	{Metric: GCEmpty, Title: "full GC before the build, CPU", Unit: Milliseconds},
	{Metric: Slowest, Title: "slowest insert or update, CPU", Unit: Milliseconds, Best: true},
	{Metric: AllocsBuild, Title: "allocations, insert", Unit: Objects},
	{Metric: AllocsScore, Title: "allocations, look-up", Unit: Objects},
	{Metric: AllocsUpdate, Title: "allocations, update", Unit: Objects},
	{Metric: AllocsIncr, Title: "allocations, increment", Unit: Objects},
	{Metric: AllocsRank, Title: "allocations, rank", Unit: Objects},
	{Metric: AllocsPage, Title: "allocations, page", Unit: Objects},
	{Metric: AllocsWalk, Title: "allocations, walk", Unit: Objects},
}

// Describe returns the description of a metric, and false if there is no such metric.
func Describe(m Metric) (Description, bool) {
	for _, d := range Descriptions {
		if d.Metric == m {
			return d, true
		}
	}
	return Description{}, false
}

// Figures are what one run found. A metric that the peer cannot have is absent.
type Figures map[Metric]float64

// Timed are the operations whose single calls are timed, in their order: what reads comes before what writes.
var Timed = []Metric{Score, Rank, Page, Update, Incr}

// LineClock is the line of the clock itself beside them.
const LineClock = "clock"

package measure

// Metric names one figure. For every one of them less is better.
type Metric string

// The figures of one peer.
const (
	Build          Metric = "build"
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
}

// Descriptions is every metric, in the order of the report. A title is at most 30 characters and stands by itself.
var Descriptions = []Description{
	{Build, "build, a random insert", Nanoseconds, false},
	{Score, "score look-up", Nanoseconds, false},
	{Update, "update to a new random score", Nanoseconds, false},
	{Update1k, "update in a board of 1,000", Nanoseconds, false},
	{UpdateFraction, "update, scores in [0, 1)", Nanoseconds, false},
	{Incr, "increment, zipf", Nanoseconds, false},
	{Churn, "remove and add again", Nanoseconds, false},
	{Rank, "rank of a member", Nanoseconds, false},
	{Page, "page of 100, middle, copied", Nanoseconds, false},
	{Walk, "walk over 100, middle", Nanoseconds, false},
	{Bytes, "memory per member, all in", Byte, false},
	{BytesUpdated, "memory after the updates", Byte, false},
	{BytesFraction, "memory, scores in [0, 1)", Byte, false},
	{BytesSmall, "memory in boards of 128", Byte, false},
	{BytesLeft, "memory with 90 % removed", Byte, false},
	{BytesAnew, "memory, the rest built anew", Byte, false},
	{GC, "full GC, board live, CPU", Milliseconds, false},
	{GCEmpty, "full GC before the build, CPU", Milliseconds, false},
	{Slowest, "slowest insert or update, CPU", Milliseconds, true},
	{AllocsBuild, "allocations, insert", Objects, false},
	{AllocsScore, "allocations, look-up", Objects, false},
	{AllocsUpdate, "allocations, update", Objects, false},
	{AllocsIncr, "allocations, increment", Objects, false},
	{AllocsRank, "allocations, rank", Objects, false},
	{AllocsPage, "allocations, page", Objects, false},
	{AllocsWalk, "allocations, walk", Objects, false},
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

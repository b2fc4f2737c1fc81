package measure

import (
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The lines of results: an operation, or a property of the boards.
const (
	Build          = "build"
	Replay         = "replay" // of a file; absent with other workloads
	Score          = "score"
	Update         = "update"
	Update1k       = "update_1k"
	UpdateFraction = "update_fraction"
	Incr           = "incr"
	Churn          = "remove_add"
	Rank           = "rank"
	Page           = "page"
	Walk           = "walk"
	PageRESP       = "page_resp"
	PageJSON       = "page_json"
	Bytes          = "bytes"
	BytesUpdated   = "bytes_updated"
	BytesFraction  = "bytes_fraction"
	BytesSmall     = "bytes_small"
	BytesLeft      = "bytes_left"
	BytesAnew      = "bytes_anew"
	GC             = "gc"
	GCEmpty        = "gc_empty"
	Slowest        = "slowest_update"
	LineClock      = "clock" // of latency: the clock itself

	allocs = "allocs_" // before the name of an operation
)

// Line describes a line for a reader.
type Line struct {
	Name, Title string
	Core        bool // growth measures it
}

// Lines is every line, in the order of the tables. A title has 30 characters at most. For every figure less is better.
var Lines = []Line{
	{Build, "build, a random insert", false},
	{Replay, "replay, an event of the file", false},
	{Score, "score look-up", true},
	{Update, "update to a new random score", true},
	{Update1k, "update in a board of 1,000", false},
	{UpdateFraction, "update, scores in [0, 1)", false},
	{Incr, "increment, zipf", false},
	{Churn, "remove and add again", false},
	{Rank, "rank of a member", true},
	{Page, "page of 100, middle, copied", true},
	{Walk, "walk over 100, middle", false},
	{PageRESP, "page of 100 as RESP", false},
	{PageJSON, "page of 100 as JSON", false},
	{Bytes, "memory per member, all in", true},
	{BytesUpdated, "memory after the updates", false},
	{BytesFraction, "memory, scores in [0, 1)", false},
	{BytesSmall, "memory in boards of 128", false},
	{BytesLeft, "memory with 90 % removed", false},
	{BytesAnew, "memory, the rest built anew", false},
	{GC, "full GC, board live, CPU", true},
	{GCEmpty, "full GC before the build, CPU", false},
	{Slowest, "slowest insert or update, CPU", false},
	{allocs + Build, "allocations, insert", false},
	{allocs + Score, "allocations, look-up", false},
	{allocs + Update, "allocations, update", false},
	{allocs + Incr, "allocations, increment", false},
	{allocs + Rank, "allocations, rank", false},
	{allocs + Page, "allocations, page", false},
	{allocs + Walk, "allocations, walk", false},
}

// timed are the operations whose single calls latency times: reads first, because writes change what they find.
var timed = []string{Score, Rank, Page, Update, Incr}

// title returns the title of a line.
func title(name string) string {
	for _, l := range Lines {
		if l.Name == name {
			return l.Title
		}
	}
	return name
}

// lineMetric returns the metric of a line: a line of a sorted set has one figure.
func lineMetric(line string) figure.Metric {
	name, _, _ := strings.Cut(line, "_")
	if m, ok := map[string]figure.Metric{"bytes": figure.Member, "gc": figure.GC, "slowest": figure.Slowest, "allocs": figure.Allocs}[name]; ok {
		return m
	}
	return figure.Call
}

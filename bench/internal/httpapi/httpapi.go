package httpapi

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

// The cases.
const (
	calling   = "calls"
	streaming = "streams"
)

var caseNames = []string{calling, streaming}

// call is what callers do.
type call struct{ name, title string }

var (
	submit = call{"submit", "Submit, with ranks"}
	top    = call{"top", "Top(10)"}
	same   = call{"304", "Top(10), not modified"}

	allCalls = []call{submit, top, same}
)

// The systems.
const (
	inProcess = bench.Zrank
	overRESP  = "resp"
	overHTTP  = "api"
)

var systems = []string{inProcess, overRESP, overHTTP}

// callerCounts are the numbers of callers: of connections, where there are any.
var callerCounts = []int{1, 16, 256}

func line(c call, callers int) string { return fmt.Sprintf("%s/%s/%d", calling, c.name, callers) }

// streamLines are the lines of the memory of streams, by what they stream.
var streamLines = []struct{ line, title, path string }{
	{streaming + "/events", "events", "/v1/events"},
	{streaming + "/top", "top 10", "/v1/boards/arena/windows/week/top/stream"},
}

// Benchmark is the declaration.
var Benchmark = bench.Benchmark{
	Name: "api", Title: "Boards over HTTP", Short: "Measure the HTTP API beside the Redis protocol and calls in the process",
	Long: `Api measures a board of three windows behind the HTTP API, behind the Redis protocol without pipelines, and by calls in the process: submissions with ranks and
the first ten rows, from 1, 16 and 256 callers, and answers 304. Then the memory that a stream of events takes.

Servers and callers are in one process, on loopback.`,
	Example: "--n 1e4 --cases calls\n--cases streams --streams 1000",
	N:       100_000, NUsage: "number of players", NoDisk: true,
	Flags: func(f *pflag.FlagSet, o *bench.Options) {
		f.DurationVar(&o.For, "for", 2*time.Second, "how long the calls of each figure are counted in a round")
		f.IntVar(&o.Callers, "streams", 9_500, "how many streams; each takes two open files")
		f.StringSliceVar(&o.Cases, "cases", caseNames, "what to measure")
	},
	Plan: plan, Start: start, Tables: tables, Targets: targets(),
	Load: func(o *bench.Options) string { return bench.Comma(o.N) + " players of 20 bytes in each of 3 windows" },
	Notes: `Calls/s of all callers together, and latencies of their calls. zrank: a call in the process. resp: BOARD.SUBMIT and BOARD.TOP, one command at a time. api: POST
/v1/boards/arena/scores and GET …/top, HTTP/1.1, connections kept, a server key, the middleware with a log that discards. Callers are part of the process and of
the figures. /resp and /zrank: calls/s over theirs. Memory of a stream: what the process has in use for each, its half of a caller included.`,
}

func plan(_ context.Context, o *bench.Options, _ io.Writer) (cases []bench.Case, err error) {
	if err := bench.Choose("cases", o.Cases, caseNames); err != nil {
		return nil, err
	}
	if o.Callers < 1 {
		return nil, fmt.Errorf("--streams is %d; it must be at least 1", o.Callers)
	}
	for _, name := range o.Cases {
		c := bench.Case{Name: name, Title: name, Systems: systems, Turns: bench.Passes * len(allCalls) * len(callerCounts)}
		if name == streaming {
			c.Systems, c.Turns = []string{overHTTP}, len(streamLines)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func tables(*bench.Result) []bench.Table {
	calls := bench.Table{Title: "calls"}
	for _, n := range callerCounts {
		calls.Head = append(calls.Head, fmt.Sprintf("%d callers", n), "p99")
	}
	calls.Head = append(calls.Head, "/resp, 16", "/zrank, 16")
	for _, c := range allCalls {
		title := c.title
		for _, s := range systems {
			if c == same && s != overHTTP {
				continue
			}
			row := bench.Row{Title: title, System: s}
			for _, n := range callerCounts {
				for _, m := range []figure.Metric{figure.Rate, figure.P99} {
					row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: line(c, n), System: s, Metric: m}})
				}
			}
			if s == overHTTP && c != same {
				for _, peer := range []string{overRESP, inProcess} {
					base := bench.Ref{Line: line(c, 16), System: peer, Metric: figure.Rate}
					row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: line(c, 16), System: s, Metric: figure.Rate}, Over: &base})
				}
			}
			calls.Rows, title = append(calls.Rows, row), ""
		}
	}
	memory := bench.Table{Title: "memory of a stream", Head: []string{"memory"}}
	for _, x := range streamLines {
		memory.Rows = append(memory.Rows, bench.Row{Title: x.title, System: overHTTP,
			Cells: []bench.Cell{{Ref: bench.Ref{Line: x.line, System: overHTTP, Metric: figure.Live}}}})
	}
	return []bench.Table{calls, memory}
}

// targets are half of the calls that RESP makes, from 16 and 256 connections.
func targets() (list []bench.Target) {
	for _, n := range callerCounts[1:] {
		var lines []string
		for _, c := range []call{submit, top} {
			lines = append(lines, line(c, n))
		}
		list = append(list, bench.Target{What: fmt.Sprintf("%d connections: calls/s", n), Line: strings.Join(lines, " "), System: overHTTP, Metric: figure.Rate, Peer: overRESP, Least: true, Limit: 0.5})
	}
	return slices.Clip(list)
}

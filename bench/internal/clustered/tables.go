package clustered

import (
	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
)

func tables(r *bench.Result) []bench.Table {
	return append([]bench.Table{callTable(), masterTable(), replicaTable(), memoryTable(r)}, growthTable(r))
}

// ref returns a figure of a call.
func ref(name string, c call, many bool, system string, m figure.Metric) bench.Ref {
	return bench.Ref{Line: line(name, c, many), System: system, Metric: m}
}

// over returns the quotient of the rates of two systems.
func over(name string, c call, many bool, system, peer string) bench.Cell {
	base := ref(name, c, many, peer, figure.Rate)
	return bench.Cell{Ref: ref(name, c, many, system, figure.Rate), Over: &base}
}

func callTable() bench.Table {
	t := bench.Table{Title: "calls, three masters", Head: []string{"1 caller", "p50", "p99", "many callers", "p50", "p99", "server", "/redis", "/zrank"}}
	for _, c := range allCalls {
		title := c.title
		for _, s := range systemsOf(calling) {
			row := bench.Row{Title: title, System: s}
			for _, many := range []bool{false, true} {
				for _, m := range []figure.Metric{figure.Rate, figure.P50, figure.P99} {
					row.Cells = append(row.Cells, bench.Cell{Ref: ref(calling, c, many, s, m)})
				}
			}
			row.Cells = append(row.Cells, bench.Cell{Ref: ref(calling, c, true, s, figure.CPUCall)})
			if isCluster(s) {
				row.Cells = append(row.Cells, over(calling, c, true, s, bench.Redis), over(calling, c, true, s, bench.Zrank))
			}
			t.Rows, title = append(t.Rows, row), ""
		}
	}
	return t
}

func masterTable() bench.Table {
	t := bench.Table{Title: "masters, 16 partitions, many callers", Head: []string{"calls/s", "p50", "p99", "server", "/1 master"}}
	for _, c := range callsOf(scaling) {
		title := c.title
		for _, s := range systemsOf(scaling) {
			row := bench.Row{Title: title, System: s}
			for _, m := range []figure.Metric{figure.Rate, figure.P50, figure.P99, figure.CPUCall} {
				row.Cells = append(row.Cells, bench.Cell{Ref: ref(scaling, c, true, s, m)})
			}
			row.Cells = append(row.Cells, over(scaling, c, true, s, mastered(1)))
			t.Rows, title = append(t.Rows, row), ""
		}
	}
	return t
}

func replicaTable() bench.Table {
	t := bench.Table{Title: "replicas that a call waits for, 16 partitions", Head: []string{"1 caller", "p50", "p99", "many callers", "p50", "p99", "/0"}}
	for _, c := range callsOf(replicas) {
		title := c.title
		for _, s := range systemsOf(replicas) {
			row := bench.Row{Title: title, System: s}
			for _, many := range []bool{false, true} {
				for _, m := range []figure.Metric{figure.Rate, figure.P50, figure.P99} {
					row.Cells = append(row.Cells, bench.Cell{Ref: ref(replicas, c, many, s, m)})
				}
			}
			row.Cells = append(row.Cells, over(replicas, c, true, s, replicated(0)))
			t.Rows, title = append(t.Rows, row), ""
		}
	}
	return t
}

// memoryTable is the memory of the servers, and growthTable the calls, by number of players.
func memoryTable(r *bench.Result) bench.Table {
	return bySize(r, "memory of the servers for a player and window", []bench.Row{{Title: "memory"}}, func(bench.Row) (string, figure.Metric) {
		return memoryLine(growing), figure.Live
	})
}

func growthTable(r *bench.Result) bench.Table {
	var rows []bench.Row
	for _, c := range allCalls {
		rows = append(rows, bench.Row{Title: c.title})
	}
	return bySize(r, "many callers, calls/s by number of players", rows, func(row bench.Row) (string, figure.Metric) {
		for _, c := range allCalls {
			if c.title == row.Title {
				return line(growing, c, true), figure.Rate
			}
		}
		return "", ""
	})
}

// bySize is a table with a column for each number of players, and a row of each system for each title.
func bySize(r *bench.Result, title string, rows []bench.Row, of func(bench.Row) (line string, m figure.Metric)) bench.Table {
	t := bench.Table{Title: title}
	var sizes []int
	for _, n := range r.Sizes() {
		if n > 0 {
			sizes, t.Head = append(sizes, n), append(t.Head, bench.Comma(n))
		}
	}
	for _, like := range rows {
		name := like.Title
		for _, s := range systemsOf(growing) {
			row := bench.Row{Title: name, System: s}
			line, m := of(like)
			for _, n := range sizes {
				row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: line, System: s, Metric: m, N: n}})
			}
			if len(row.Cells) > 0 {
				t.Rows, name = append(t.Rows, row), ""
			}
		}
	}
	return t
}

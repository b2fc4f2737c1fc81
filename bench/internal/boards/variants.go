package boards

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/board"
)

// variants is a case of single calls to boards of some kinds beside a plain board, in memory, with n players. The calls come from one goroutine, about
// random players.
type variants struct {
	name, title string
	boards      []variant // the first is plain
	limit       float64   // of the time of a call, over that of the plain board
}

// variant is a board of a case, with the prefix of its lines.
type variant struct {
	name, title string
	spec        func(n int) board.Spec // of one window
	kinds       []string               // of groups that follow it: see joinGroups
	limit       float64                // in place of that of the case; 0: that
}

// allVariants are the cases. Of a million players, one in a thousand is among the best 1,000.
var allVariants = []variants{
	{rolling, "rolling windows", rollingBoards, 2},
	{"top", "the best of many", []variant{
		{name: "plain", title: "everybody", spec: func(int) board.Spec { return lastSpec() }},
		{name: "best", title: "the best 1,000", spec: func(int) board.Spec {
			s := lastSpec()
			s.Top = &board.Top{N: 1000, Reserve: 250}
			return s
		}},
	}, 1.2},
	{"tail", "a coarse tail", []variant{
		{name: "plain", title: "everybody", spec: func(int) board.Spec { return lastSpec() }},
		{name: "tail", title: "the best 1,000 and 1,000 segments", spec: func(int) board.Spec {
			s := lastSpec()
			s.Top = &board.Top{N: 1000, Reserve: 250, Segments: 1000}
			return s
		}},
	}, 1},
	{"wide", "many columns", []variant{
		{name: "plain", title: "one column", spec: func(int) board.Spec { return lastSpec() }},
		{name: "wide", title: "8 columns", spec: func(int) board.Spec {
			s := lastSpec()
			least, most := board.Int(0), board.Int(1<<30)
			for i := range 8 {
				s.Columns = append(s.Columns, board.Column{Name: fmt.Sprint("c", i), Min: &least, Max: &most})
			}
			return s
		}},
	}, 1.3},
	{"journal", "a journal", []variant{
		{name: "plain", title: "no journal", spec: func(int) board.Spec { return lastSpec() }},
		{name: "journal", title: "with a journal", spec: func(n int) board.Spec {
			s := lastSpec()
			s.Journal = min(n, board.MaxJournal)
			return s
		}},
	}, 2},
	{"groups", "boards of groups", []variant{
		{name: "plain", title: "no groups", spec: sumSpec},
		{name: "guild", title: "guilds of 50", spec: sumSpec, kinds: []string{"guild"}, limit: 1.5},
		{name: "both", title: "guilds of 50 and 200 countries", spec: sumSpec, kinds: []string{"guild", "country"}, limit: 1.9},
	}, 1.5},
	{"parts", "a board in parts", []variant{
		{name: "plain", title: "one set", spec: func(int) board.Spec { return lastSpec() }},
		{name: "parts", title: "4 parts", spec: func(int) board.Spec {
			s := lastSpec()
			s.Parts = 4
			return s
		}},
	}, 1.3},
}

// sumSpec is the spec of boards that groups follow.
func sumSpec(int) board.Spec { return spec(board.All) }

// lastSpec is the spec of boards whose scores rise and fall.
func lastSpec() board.Spec {
	s := spec(board.All)
	s.Op = board.Last
	return s
}

// variantsNamed returns a case by its name, nil if none has it.
func variantsNamed(name string) *variants {
	for i := range allVariants {
		if allVariants[i].name == name {
			return &allVariants[i]
		}
	}
	return nil
}

var variantCalls = [][2]string{{"submit", "Submit"}, {"rank", "Rank"}, {"top", "AppendTop(10)"}}

func (v *variants) line(boardName, call string) string { return v.name + "/" + boardName + "_" + call }

// table is the table of the single calls.
func (v *variants) table() bench.Table {
	t := bench.Table{Head: []string{"CPU", "allocations", "memory of a player"}}
	for _, c := range variantCalls {
		for _, b := range v.boards {
			row := bench.Row{Title: c[1] + ", " + b.title}
			for _, m := range []figure.Metric{figure.Call, figure.Allocs, figure.Member} {
				row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: v.line(b.name, c[0]), System: bench.Zrank, Metric: m}})
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// targets are the limits: single calls over those of the plain board.
func (v *variants) targets() (list []bench.Target) {
	for _, c := range variantCalls {
		for _, b := range v.boards[1:] {
			list = append(list, bench.Target{What: c[1] + ", " + b.title + ", over the window all", Line: v.line(b.name, c[0]), Metric: figure.Call,
				Base: v.line("plain", c[0]), Limit: cmp.Or(b.limit, v.limit), At: 1e6})
		}
	}
	return list
}

// run measures the calls of all boards of the case in turns.
func (v *variants) run(o bench.Options) (found []bench.Sample, err error) {
	runtime.LockOSThread() // the CPU time is this thread's
	defer runtime.UnlockOSThread()
	totals := map[string]*measure.Total{}
	calls := map[string]func() error{}
	sizes := map[string]float64{}
	for _, b := range v.boards {
		r, failed := openRoller(o, b.spec(o.N))
		if failed == nil {
			failed = joinGroups(o, r, b.kinds)
		}
		if failed != nil {
			return nil, fmt.Errorf("%s: %w", b.name, failed)
		}
		defer func() { err = errors.Join(err, r.close()) }()
		for name, call := range r.calls(o) {
			line := v.line(b.name, name)
			totals[line], calls[line] = new(measure.Total), call
		}
		sizes[v.line(b.name, "submit")] = r.bytes
	}
	for range bench.Passes {
		for _, c := range variantCalls {
			for _, b := range v.boards {
				line := v.line(b.name, c[0])
				err = errors.Join(err, totals[line].Add(o.For/bench.Passes, calls[line]))
			}
		}
	}
	for line, total := range totals {
		f := total.Figures()
		if size, ok := sizes[line]; ok {
			f[figure.Member] = size
		}
		found = append(found, bench.Sample{Line: line, Figures: f})
	}
	return found, err
}

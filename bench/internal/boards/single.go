package boards

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/measure"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// single is the case of calls that one goroutine makes one after the other, in memory. Their figures are CPU time and allocations. A call that
// submits gives a player a new random score in three windows, or in three sets with ties of the same width and without counts for dense ranks.
const single = "single"

// The lines of the case.
const (
	bySets, byUpdate, bySubmit = "single/sets", "single/update", "single/submit"
	submitEach, submitAll      = "single/submit_each", "single/submit_all"
	lineTop10, lineAppend10    = "single/top_10", "single/append_10"
	lineTop100, lineAppend100  = "single/top_100", "single/append_100"
	lineAround, lineCard       = "single/around", "single/card"
	lineRanks, lineAmong       = "single/rank_each", "single/among"
	tieWidth                   = 16 // of the board: when a score was reached, and in which order
)

// singleTitles are the lines for a reader, in the order of the table.
var singleTitles = [][2]string{
	{bySets, "three sets of package zset, AddTied"}, {byUpdate, "three sets in Engine.Update, AddTied"}, {bySubmit, "Board.Submit, three windows"},
	{submitEach, "100 submissions, Submit"}, {submitAll, "100 submissions, SubmitAll"},
	{lineTop10, "Top(10)"}, {lineAppend10, "AppendTop(10)"}, {lineTop100, "Top(100)"}, {lineAppend100, "AppendTop(100)"},
	{lineAround, "Around(5)"}, {lineCard, "Card(10, 5)"},
	{lineRanks, "100 players, Rank"}, {lineAmong, "100 players, Among"},
}

func singleTable() bench.Table {
	t := bench.Table{Head: []string{"CPU", "allocations", "allocated"}}
	for _, l := range singleTitles {
		row := bench.Row{Title: l[1]}
		for _, m := range []figure.Metric{figure.Call, figure.Allocs, figure.AllocBytes} {
			row.Cells = append(row.Cells, bench.Cell{Ref: bench.Ref{Line: l[0], System: bench.Zrank, Metric: m}})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// singleTargets are the limits of the case.
var singleTargets = func() (list []bench.Target) {
	add := func(what, line string, m figure.Metric, base string, limit float64) {
		list = append(list, bench.Target{What: what, Line: line, Metric: m, Base: base, Limit: limit, At: 1e6})
	}
	add("Submit, 3 windows, over 3 sets", bySubmit, figure.Call, bySets, 1.4)
	add("Submit, 3 windows: allocations", bySubmit, figure.Allocs, "", 3)
	add("Submit, 3 windows: bytes allocated", bySubmit, figure.AllocBytes, "", 512)
	add("Engine.Update of 3 sets over 3 sets", byUpdate, figure.Call, bySets, 1.2)
	add("SubmitAll of 100 over Submit", submitAll, figure.Call, submitEach, 0.5)
	add("Top(10)", lineTop10, figure.Call, "", 800)
	add("Top(100)", lineTop100, figure.Call, "", 5000)
	add("Around(5)", lineAround, figure.Call, "", 2000)
	add("Top, Around: allocations", lineTop10+" "+lineTop100+" "+lineAround, figure.Allocs, "", 2)
	add("Card: allocations", lineCard, figure.Allocs, "", 2)
	add("AppendTop: allocations", lineAppend10+" "+lineAppend100, figure.Allocs, "", 0)
	add("Among 100 players over Rank", lineAmong, figure.Call, lineRanks, 0.5)
	return list
}()

// subjects are what the case measures, with the same players in each.
type subjects struct {
	sets   [3]*zset.IntSet
	engine *engine.Engine
	arena  *arena
	board  board.Board
	live   board.Ranking

	players workload.Stream
	random  *rand.Rand
	tie     [tieWidth]byte
}

// openSubjects opens them, with n players.
func openSubjects(ctx context.Context, o bench.Options) (x *subjects, err error) {
	x = &subjects{random: rand.New(rand.NewPCG(o.Seed, drawSeed))}
	x.players = workload.NewStream(maxOps, func(int) int { return x.random.IntN(o.N) }, func() float64 { return 0 })
	if x.engine, err = engine.New(engine.Options{}); err != nil {
		return nil, err
	}
	if x.arena, err = openArena("", engine.Options{}, newClock()); err != nil {
		return nil, err
	}
	if x.board, err = x.arena.boards.Define(ctx, board.Spec{Name: "single", Op: board.Last, Windows: windows}); err != nil {
		return nil, err
	}
	for i := range x.sets {
		if x.sets[i], err = zset.NewInt(zset.Options{TieWidth: tieWidth}); err != nil {
			return nil, err
		}
	}
	if err = fill(o.N, o.Seed, x.put); err != nil {
		return nil, err
	}
	for i, key := range keys {
		if err = x.engine.StoreInts(ctx, key, x.sets[i].Copy()); err != nil {
			return nil, err
		}
	}
	x.live, err = x.board.Live(ctx, "all")
	return x, err
}

// put inserts players in the sets and in the board.
func (x *subjects) put(s *workload.Stream) error {
	subs, tie := make([]board.Submission, s.Len()), make([]byte, tieWidth)
	for i := range subs {
		subs[i] = x.submission(s.Key(i))
		for _, set := range x.sets {
			if _, err := set.AddTied(s.Key(i).Raw, tie, x.score()); err != nil {
				return err
			}
		}
	}
	_, err := x.board.SubmitAll(context.Background(), subs)
	return err
}

func (x *subjects) score() int64 { return x.random.Int64N(startSpan) }

func (x *subjects) submission(player workload.Key) board.Submission {
	return board.Submission{Member: player.Name, Score: board.Ints(x.score())}
}

func (x *subjects) close() error { return errors.Join(x.engine.Close(), x.arena.close()) }

// calls returns the calls of each line, about the i-th player of the stream, or about a hundred of them.
func (x *subjects) calls() map[string]func(i int) error {
	calls := map[string]func(i int) error{bySets: x.change, byUpdate: x.update, bySubmit: func(i int) error {
		_, err := x.board.Submit(context.Background(), x.submission(x.players.Key(i)))
		return err
	}}
	subs := make([]board.Submission, together)
	calls[submitEach] = x.hundred(calls[bySubmit])
	calls[submitAll] = func(i int) error {
		for j := range subs {
			subs[j] = x.submission(x.players.Key(x.nth(i, j)))
		}
		_, err := x.board.SubmitAll(context.Background(), subs)
		return err
	}
	x.addReads(calls)
	return calls
}

// change gives a player a new score and tie in each set.
func (x *subjects) change(i int) error {
	binary.BigEndian.PutUint64(x.tie[:], uint64(i))
	score := x.score()
	for _, set := range x.sets {
		if _, err := set.AddTied(x.players.Key(i).Raw, x.tie[:], score); err != nil {
			return err
		}
	}
	return nil
}

// update is change in a transaction.
func (x *subjects) update(i int) error {
	binary.BigEndian.PutUint64(x.tie[:], uint64(i))
	score := x.score()
	return x.engine.Update(context.Background(), func(tx *engine.Tx) error {
		for _, key := range keys {
			set, err := tx.IntSet(key, engine.Form{TieWidth: tieWidth})
			if err == nil {
				_, err = set.AddTied(x.players.Key(i).Raw, x.tie[:], score)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, keys...)
}

// addReads adds the calls that only read.
func (x *subjects) addReads(calls map[string]func(i int) error) {
	ctx := context.Background()
	name := func(i int) string { return x.players.Key(i).Name }
	var rows []board.Row
	for lines, n := range map[[2]string]int{{lineTop10, lineAppend10}: 10, {lineTop100, lineAppend100}: 100} {
		calls[lines[0]] = func(int) error { _, err := x.live.Top(ctx, n); return err }
		calls[lines[1]] = func(int) (err error) { rows, err = x.live.AppendTop(ctx, rows[:0], n); return err }
	}
	calls[lineAround] = func(i int) error { _, _, err := x.live.Around(ctx, name(i), each); return err }
	calls[lineCard] = func(i int) error { _, err := x.live.Card(ctx, name(i), top, each); return err }
	calls[lineRanks] = x.hundred(func(i int) error { _, _, err := x.live.Rank(ctx, name(i)); return err })
	names := make([]string, together)
	calls[lineAmong] = func(i int) error {
		for j := range names {
			names[j] = name(x.nth(i, j))
		}
		_, err := x.live.Among(ctx, names...)
		return err
	}
}

// hundred makes a hundred calls one after the other.
func (x *subjects) hundred(call func(i int) error) func(i int) error {
	return func(i int) (err error) {
		for j := range together {
			if err = call(x.nth(i, j)); err != nil {
				break
			}
		}
		return err
	}
}

// nth returns the index of the j-th of a hundred players that call i is about. Calls one after the other are about other players.
func (x *subjects) nth(i, j int) int { return (i*together + j) % x.players.Len() }

// runSingle measures the calls of all lines in turns.
func runSingle(ctx context.Context, o bench.Options) (found []bench.Sample, err error) {
	runtime.LockOSThread() // the CPU time is this thread's
	defer runtime.UnlockOSThread()
	x, err := openSubjects(ctx, o)
	if err != nil {
		return nil, err
	}
	calls := x.calls()
	totals, at := make([]measure.Total, len(singleTitles)), 0
	for range bench.Passes {
		for i, line := range singleTitles {
			call := calls[line[0]]
			err = errors.Join(err, totals[i].Add(o.For/bench.Passes, func() error { at = (at + 1) % maxOps; return call(at) }))
		}
	}
	for i, line := range singleTitles {
		found = append(found, bench.Sample{Line: line[0], Figures: totals[i].Figures()})
	}
	return found, errors.Join(err, x.close())
}

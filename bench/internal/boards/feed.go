package boards

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
)

// feeding is the case of submissions to a board of n players, at Interval, with a feed that 100 readers follow, each with a filter of its own, and
// without one.
const feeding = "feed"

const (
	feedReaders = 100
	feedCallers = 16
)

// feedBoards are the boards of the case: readers of the second one are none, to tell the cost of writing from that of reading.
var feedBoards = []struct {
	name, title string
	feed        *board.Feed
	readers     int
}{
	{"none", "no feed", nil, 0},
	{"written", "with a feed", &board.Feed{}, 0},
	{"read", "with a feed and 100 filters", &board.Feed{}, feedReaders},
}

func feedLine(name string) string { return feeding + "/" + name }

// runFeed measures the boards in turns.
func runFeed(o bench.Options) (found []bench.Sample, err error) {
	all := make([]*followed, len(feedBoards))
	for i, b := range feedBoards {
		f, err := openFollowed(o, o.Dir+"/"+b.name, b.feed, b.readers)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", b.name, err)
		}
		all[i] = f
	}
	for pass := range bench.Passes {
		for i := range all {
			err = errors.Join(err, all[i].submit(o, pass))
		}
	}
	for i, b := range feedBoards {
		err = errors.Join(err, all[i].close())
		f := figure.Figures{figure.Call: float64(all[i].took.Nanoseconds()) / float64(all[i].calls)}
		found = append(found, bench.Sample{Line: feedLine(b.name), Figures: f})
	}
	return found, err
}

// followed is a board with readers of its feed.
type followed struct {
	*arena
	stop    context.CancelFunc
	readers sync.WaitGroup
	heard   atomic.Int64
	calls   int64
	took    time.Duration
}

func openFollowed(o bench.Options, dir string, events *board.Feed, readers int) (*followed, error) {
	s := spec(board.All)
	s.Op, s.Feed = board.Last, events
	a, err := openSpec(dir, quiet, newClock(), s)
	if err != nil {
		return nil, err
	}
	f := &followed{arena: a}
	if err := fill(o.N, o.Seed, a.put); err != nil {
		return nil, errors.Join(err, a.close())
	}
	end, err := a.boards.FeedEnd(context.Background())
	if err != nil {
		return nil, errors.Join(err, a.close())
	}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	players := workload.NewStream(readers, func(i int) int { return i * 7 % o.N }, func() float64 { return 0 })
	for i := range readers { // a player each wants to hear of itself
		filter := feed.Filter{Boards: []string{"arena"}, Members: []string{players.Key(i).Name}, Kinds: []feed.Kind{feed.Overtaken, feed.Submitted}}
		f.readers.Go(func() {
			for _, err := range a.boards.Feed(ctx, end, filter) {
				if err != nil {
					return
				}
				f.heard.Add(1)
			}
		})
	}
	return f, nil
}

func (f *followed) close() error {
	f.stop()
	f.readers.Wait()
	return f.arena.close()
}

// submit lets the callers submit for a while.
func (f *followed) submit(o bench.Options, pass int) error {
	var n atomic.Int64
	var wg sync.WaitGroup
	failed := make([]error, feedCallers)
	begin := time.Now()
	for id := range feedCallers {
		call := submitter(f.arena, o, pass*feedCallers+id)
		wg.Go(func() {
			for i := 0; time.Since(begin) < o.For && failed[id] == nil; i++ {
				failed[id] = call(i)
				n.Add(1)
			}
		})
	}
	wg.Wait()
	f.took += time.Since(begin)
	f.calls += n.Load()
	return errors.Join(failed...)
}

// feedRows are the rows of the table of single figures.
func feedRows() (facts []bench.Row) {
	for _, b := range feedBoards {
		facts = append(facts, bench.Fact("a submission of 16 callers, "+b.title, feedLine(b.name), figure.Call))
	}
	return facts
}

// feedTargets are what is wanted of the case.
var feedTargets = []bench.Target{
	{What: "Submit with a feed and 100 filters, over none", Line: feedLine("read"), Metric: figure.Call, Base: feedLine("none"), Limit: 1.1},
}

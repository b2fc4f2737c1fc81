package periods

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/zrankdb/zrank/bench/internal/boards"
	"github.com/zrankdb/zrank/bench/internal/crew"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/latency"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine/board"
)

// Event is something that happens while a crew submits.
type Event struct {
	Name     string
	Title    string // at most 40 characters
	closes   bool   // the day ends
	snapshot bool
}

// Happens is false of the event that the others are compared with.
func (e Event) Happens() bool { return e.closes || e.snapshot }

// Events is every event, in the order of the report.
var Events = []Event{
	{Name: "still", Title: "nothing"},
	{Name: "close", Title: "the day is closed", closes: true},
	{Name: "leave", Title: "closed, snapshotted, out of memory", closes: true, snapshot: true},
	{Name: "snapshot", Title: "snapshotted, nothing closed", snapshot: true},
}

const (
	// drawn is how many submissions a writer draws at a time.
	drawn = 2000
	// settled is how long the writers are left alone before the event.
	settled = 500 * time.Millisecond
	// maxPoints is how many points a submission adds at most.
	maxPoints = 1000
)

// watched fills a board of three windows, sets the crew to work, and lets the event happen.
func watched(o Options, event Event) (figure.Figures, error) {
	clock := boards.NewClock()
	a, err := boards.Open(o.Dir, quiet, clock, boards.Windows...)
	if err != nil {
		return nil, err
	}
	if err := boards.Fill(o.N, o.Seed, a.Apply); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	runtime.GC() // what the fill leaves is not the event's
	f := figure.Figures{}
	return f, errors.Join(watch(a, clock, event, o, f), a.Close())
}

// watch lets the event happen among the writers.
func watch(a *boards.Arena, clock *boards.Clock, event Event, o Options, f figure.Figures) error {
	day, err := a.At("day", clock.Now()) // which it stays with when the next one begins
	if err != nil {
		return err
	}
	c := crew.Hire(func(id int) func(int) error { return writer(a, o, id) })
	crew.Pause(settled)
	from := c.Now()
	if event.Happens() {
		err = event.happen(a, clock)
		f[figure.Took] = milliseconds(c.Now() - from)
	}
	crew.Pause(o.After)
	windows := []crew.Window{{From: from, To: c.Now()}}
	calls, writeErr := c.Dismiss()
	if err = errors.Join(err, writeErr, event.check(day, o.N)); err != nil {
		return err
	}
	times := latency.New()
	for _, made := range calls {
		crew.Within(times, made, windows)
	}
	times.Into(f)
	return nil
}

// happen has midnight come, and waits until the day is closed: the board's own goroutine may be the one that does it.
func (e Event) happen(a *boards.Arena, clock *boards.Clock) error {
	if e.closes {
		clock.Midnight()
		if _, err := a.Boards.CloseDue(); err != nil {
			return err
		}
	}
	if e.snapshot {
		return a.Engine.Snapshot()
	}
	return nil
}

// check returns an error unless the day is as it should be.
func (e Event) check(day board.Ranking, n int) error {
	found, err := day.Len()
	if err != nil {
		return err
	}
	if closed := day.Info().Closed; closed != e.closes || found != n {
		return fmt.Errorf("the day has %d players, closed: %v; want %d, %v", found, closed, n, e.closes)
	}
	return nil
}

// writer makes the submissions of one of the crew.
func writer(a *boards.Arena, o Options, id int) func(i int) error {
	r := rand.New(rand.NewPCG(o.Seed+uint64(id), 0x77726974))
	var s workload.Stream
	return func(i int) error {
		if i%drawn == 0 {
			s = workload.NewStream(drawn, func(int) int { return r.IntN(o.N) }, func() float64 { return float64(1 + r.IntN(maxPoints)) })
		}
		_, err := a.Submit(board.Submission{Member: s.Key(i % drawn).Name, Score: board.Ints(int64(s.Score(i % drawn)))})
		return err
	}
}

package recovery

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// A board with one closed period a minute. Every period is a set of periodMembers members.
const (
	periodMembers = 3
	closeEvery    = 1000 // periods are closed together
	period        = time.Minute
)

// periodsBegin is when the first period begins.
var periodsBegin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func periodMember(i int) string { return fmt.Sprintf("player:%06d", i) }

// periodsEnd returns a clock that stands at the end of the last period.
func periodsEnd(o bench.Options) func() time.Time {
	end := periodsBegin.Add(time.Duration(o.Sets) * period)
	return func() time.Time { return end }
}

// makePeriods makes a directory of a board with o.Sets closed periods.
func makePeriods(o bench.Options) error {
	ctx := context.Background()
	var now atomic.Pointer[time.Time]
	move := func(i int) {
		t := periodsBegin.Add(time.Duration(i) * period)
		now.Store(&t)
	}
	move(0)
	e, err := engine.Open(o.Dir, engine.Options{Durability: engine.None, Clock: func() time.Time { return *now.Load() }})
	if err != nil {
		return err
	}
	all, err := local.Open(e, local.Options{})
	if err != nil {
		return errors.Join(err, e.Close())
	}
	b, err := all.Define(ctx, board.Spec{Name: subject.Arena, Windows: []board.Window{{Name: "minutes", Kind: window.Every, Every: window.Duration(period)}}})
	for i := 0; i < o.Sets && err == nil; i++ {
		for m := 0; m < periodMembers && err == nil; m++ {
			_, err = b.Submit(ctx, board.Submission{Member: periodMember(m), Score: board.Ints(int64(i%100 + m))})
		}
		if move(i + 1); (i+1)%closeEvery == 0 || i+1 == o.Sets {
			_, closeErr := all.CloseDue(ctx)
			err = errors.Join(err, closeErr)
		}
	}
	if err == nil {
		err = e.Snapshot()
	}
	return errors.Join(err, all.Close(), e.Close())
}

// openPeriods opens the engine and its boards, asks for a rank in the latest period, and lists the periods.
func openPeriods(o bench.Options, f figure.Figures) error {
	begin := time.Now()
	e, err := engine.Open(o.Dir, engine.Options{Clock: periodsEnd(o)})
	if err != nil {
		return err
	}
	all, err := local.Open(e, local.Options{})
	if err != nil {
		return errors.Join(err, e.Close())
	}
	f[figure.Open] = bench.Milliseconds(time.Since(begin))
	resident(f, figure.MemoryOpen)
	return errors.Join(lookAtPeriods(all, o, f), all.Close(), e.Close())
}

func lookAtPeriods(all *local.Boards, o bench.Options, f figure.Figures) error {
	ctx := context.Background()
	b, err := all.Board(ctx, subject.Arena)
	if err != nil {
		return err
	}
	begin := time.Now()
	r, err := b.Latest(ctx, "minutes")
	if err != nil {
		return err
	}
	if _, ok, err := r.Rank(ctx, periodMember(0)); err != nil || !ok {
		return errors.Join(err, bench.Want("member 0 is ranked", 0, 1))
	}
	f[figure.Touch] = bench.Milliseconds(time.Since(begin))
	begin = time.Now()
	usage, err := b.Periods(ctx, "minutes")
	f[figure.Took] = bench.Milliseconds(time.Since(begin))
	return errors.Join(err, bench.Want("periods", len(usage), o.Sets))
}

// checkPeriods checks the directory.
func checkPeriods(o bench.Options, f figure.Figures) error {
	begin := time.Now()
	rep, err := local.CheckDir(context.Background(), o.Dir, engine.Options{}, nil)
	f[figure.Took] = bench.Milliseconds(time.Since(begin))
	return errors.Join(err, bench.Want("problems", len(rep.Problems), 0), bench.Want("sound periods", rep.Closed, o.Sets))
}

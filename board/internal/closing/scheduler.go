package closing

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/tail"
)

// MaxSleep is the longest sleep of the scheduler, so that it notices when the clock jumps, and its delay after an error.
const MaxSleep = time.Second

// Scheduler is the goroutine that closes periods when their time is up, removes results that have left rolling windows, counts the members beyond the best
// n, and evicts closed periods that are idle.
type Scheduler struct {
	c          *catalog.Catalog
	quit, done chan struct{}
}

// Start starts the goroutine. If manual, nothing is ever due: it only waits for the end of the boards or the engine.
func Start(c *catalog.Catalog, manual bool) *Scheduler {
	s := &Scheduler{c: c, quit: make(chan struct{}), done: make(chan struct{})}
	timer := time.NewTimer(s.sleep(false, true, false)) // planned here: it does not depend on when the goroutine starts
	if manual {
		timer.Stop()
	}
	go s.run(timer)
	return s
}

// Stop stops the boards, ends the goroutine and waits for its end.
func (s *Scheduler) Stop() {
	s.c.Stop()
	close(s.quit)
	<-s.done
}

// run does what is due each time the timer has expired, which it sets again.
func (s *Scheduler) run(timer *time.Timer) {
	defer close(s.done)
	defer timer.Stop()
	jumped := false // the clock has, and the log says so
	for {
		select {
		case <-s.quit:
			return
		case <-s.c.Engine.Done():
			s.c.Stop()
			s.c.Release()
			return
		case <-timer.C:
		}
		err := s.c.Jumps.Look(s.c.Engine.Now())
		if err != nil && !jumped {
			s.c.Log.Error("board: no period is closed", "err", err)
		}
		if jumped = err != nil; jumped {
			timer.Reset(MaxSleep)
			continue
		}
		if _, err := CloseDue(context.Background(), s.c); err != nil {
			s.c.Log.Error("board: periods cannot be closed", "err", err)
		}
		err = rolling.ExpireDue(context.Background(), s.c)
		expired := err == nil
		if err != nil {
			s.c.Log.Error("board: results cannot leave rolling windows", "err", err)
		}
		counts, err := tail.CountDue(context.Background(), s.c, tail.CountSize) // counts: members are to be counted at once
		if err != nil {
			s.c.Log.Error("board: members beyond the best cannot be counted", "err", err)
		}
		if err := s.c.Idle.Evict(); err != nil {
			s.c.Log.Error("board: closed periods stay in memory", "err", err)
		}
		timer.Reset(s.sleep(true, expired, counts))
	}
}

// sleep returns the time until a window is due. A window that is still due after a try has failed. Results of rolling windows may have become
// due since, unless the last try failed.
func (s *Scheduler) sleep(tried, expired, counts bool) time.Duration {
	now := s.c.Engine.Now()
	next := time.UnixMicro(NextDue(s.c)).Sub(now)
	if next <= 0 && tried {
		next = MaxSleep
	}
	if counts {
		next = 0
	}
	if expired {
		next = min(next, time.UnixMicro(rolling.NextDue(s.c)).Sub(now))
	}
	return min(MaxSleep, max(next, time.Millisecond))
}

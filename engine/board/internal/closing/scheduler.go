package closing

import (
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// MaxSleep is the longest sleep of the scheduler, so that it notices when the clock jumps, and its delay after an error.
const MaxSleep = time.Second

// Scheduler is the goroutine that closes periods when their time is up, and evicts closed periods that are idle.
type Scheduler struct {
	c          *catalog.Catalog
	quit, done chan struct{}
}

// Start starts the goroutine.
func Start(c *catalog.Catalog) *Scheduler {
	s := &Scheduler{c: c, quit: make(chan struct{}), done: make(chan struct{})}
	go s.run()
	return s
}

// Stop stops the boards, ends the goroutine and waits for its end.
func (s *Scheduler) Stop() {
	s.c.Stop()
	close(s.quit)
	<-s.done
}

func (s *Scheduler) run() {
	defer close(s.done)
	timer := time.NewTimer(MaxSleep)
	defer timer.Stop()
	for tried := false; ; tried = true {
		timer.Reset(s.sleep(tried))
		select {
		case <-s.quit:
			return
		case <-s.c.Engine.Done():
			s.c.Stop()
			s.c.Release()
			return
		case <-timer.C:
		}
		if _, err := CloseDue(s.c); err != nil {
			s.c.Log.Error("board: periods cannot be closed", "err", err)
		}
		if err := s.c.Idle.Evict(); err != nil {
			s.c.Log.Error("board: closed periods stay in memory", "err", err)
		}
	}
}

// sleep returns the time until a window is due. A window that is still due after a try has failed.
func (s *Scheduler) sleep(tried bool) time.Duration {
	next := time.UnixMicro(NextDue(s.c)).Sub(s.c.Engine.Now())
	if next <= 0 && tried {
		return MaxSleep
	}
	return min(MaxSleep, max(next, time.Millisecond))
}

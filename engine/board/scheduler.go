package board

import "time"

// maxSleep is the longest sleep of the scheduler, so that it notices when the clock jumps, and its delay after an error.
const maxSleep = time.Second

// scheduler is the goroutine that closes periods when their time is up, and evicts closed periods that are idle.
type scheduler struct {
	c          *catalog
	quit, done chan struct{}
}

// startScheduler starts the goroutine.
func startScheduler(c *catalog) *scheduler {
	s := &scheduler{c: c, quit: make(chan struct{}), done: make(chan struct{})}
	go s.run()
	return s
}

// stop stops the boards, ends the goroutine and waits for its end.
func (s *scheduler) stop() {
	s.c.stop()
	close(s.quit)
	<-s.done
}

func (s *scheduler) run() {
	defer close(s.done)
	timer := time.NewTimer(maxSleep)
	defer timer.Stop()
	for tried := false; ; tried = true {
		timer.Reset(s.sleep(tried))
		select {
		case <-s.quit:
			return
		case <-s.c.engine.Done():
			s.c.stop()
			s.c.release()
			return
		case <-timer.C:
		}
		if _, err := closeDue(s.c); err != nil {
			s.c.log.Error("board: periods cannot be closed", "err", err)
		}
		if err := s.c.idle.evict(); err != nil {
			s.c.log.Error("board: closed periods stay in memory", "err", err)
		}
	}
}

// sleep returns the time until a window is due. A window that is still due after a try has failed.
func (s *scheduler) sleep(tried bool) time.Duration {
	next := time.UnixMicro(nextDue(s.c)).Sub(s.c.engine.Now())
	if next <= 0 && tried {
		return maxSleep
	}
	return min(maxSleep, max(next, time.Millisecond))
}

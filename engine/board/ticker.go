package board

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// maxSleep is how long the ticker sleeps at most, so that it notices a jump of the clock, and how long it waits after an error.
	maxSleep = time.Second
	// idle is how long a closed period stays in memory that nobody reads.
	idle = time.Minute
)

// ticker is the goroutine that closes periods when they end, and evicts closed periods that were read.
type ticker struct {
	quit, done chan struct{}
	off        atomic.Bool

	mu   sync.Mutex
	read map[string]time.Time // keys of closed periods that were read, and when for the last time
}

func (k *ticker) start(bs *Boards) {
	k.quit, k.done, k.read = make(chan struct{}), make(chan struct{}), map[string]time.Time{}
	go k.run(bs)
}

// stop ends the goroutine and waits for that.
func (k *ticker) stop() {
	k.off.Store(true)
	close(k.quit)
	<-k.done
}

// stopped reports whether the boards are closed, or their engine is and the goroutine has noticed.
func (k *ticker) stopped() bool { return k.off.Load() }

func (k *ticker) run(bs *Boards) {
	defer close(k.done)
	timer := time.NewTimer(maxSleep)
	defer timer.Stop()
	for tried := false; ; tried = true {
		timer.Reset(k.sleep(bs, tried))
		select {
		case <-k.quit:
			return
		case <-bs.e.Done():
			k.off.Store(true)
			opened.CompareAndDelete(bs.e, bs)
			return
		case <-timer.C:
		}
		if _, err := bs.CloseDue(); err != nil {
			bs.log.Error("board: periods cannot be closed", "err", err)
		}
		k.unload(bs)
	}
}

// sleep returns how long there is nothing to do. What is due after it was tried has failed.
func (k *ticker) sleep(bs *Boards, tried bool) time.Duration {
	next := time.UnixMicro(bs.nextDue()).Sub(bs.e.Now())
	if next <= 0 && tried {
		return maxSleep
	}
	return min(maxSleep, max(next, time.Millisecond))
}

// note notes that a closed period is being read, or was.
func (k *ticker) note(key string, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.read[key] = now
}

// unload lets closed periods leave memory that nobody has read for a while.
func (k *ticker) unload(bs *Boards) {
	now := bs.e.Now()
	k.mu.Lock()
	var keys []string
	for key, at := range k.read {
		if now.Sub(at) >= idle || now.Before(at) {
			keys = append(keys, key)
			delete(k.read, key)
		}
	}
	k.mu.Unlock()
	if len(keys) == 0 {
		return
	}
	if err := bs.e.Unload(keys...); err != nil {
		bs.log.Error("board: closed periods stay in memory", "err", err)
	}
}

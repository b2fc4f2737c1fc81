package board

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	// beat is how long the keeper sleeps at most, so that it notices a jump of the clock, and after what it could not do.
	beat = time.Second
	// idle is how long a closed period stays in memory that nobody reads.
	idle = time.Minute
)

// keeper is the goroutine that closes periods in time, and lets closed ones leave memory that somebody has read.
type keeper struct {
	quit, done chan struct{}
	off        atomic.Bool

	mu   sync.Mutex
	read map[string]time.Time // keys of closed periods that were read, and when for the last time
}

func (k *keeper) start(bs *Boards) {
	k.quit, k.done, k.read = make(chan struct{}), make(chan struct{}), map[string]time.Time{}
	go k.run(bs)
}

// stop ends the goroutine and waits for that.
func (k *keeper) stop() {
	k.off.Store(true)
	close(k.quit)
	<-k.done
}

// stopped reports whether the boards are closed, or their engine is and the goroutine has noticed.
func (k *keeper) stopped() bool { return k.off.Load() }

func (k *keeper) run(bs *Boards) {
	defer close(k.done)
	timer := time.NewTimer(beat)
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
func (k *keeper) sleep(bs *Boards, tried bool) time.Duration {
	next := time.UnixMicro(bs.nextDue()).Sub(bs.e.Now())
	if next <= 0 && tried {
		return beat
	}
	return min(beat, max(next, time.Millisecond))
}

// note notes that a closed period is being read, or was.
func (k *keeper) note(key string, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.read[key] = now
}

// unload lets closed periods leave memory that nobody has read for a while.
func (k *keeper) unload(bs *Boards) {
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

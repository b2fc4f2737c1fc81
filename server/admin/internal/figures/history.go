package figures

import (
	"context"
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine"
)

const (
	// Every is the time between two samples.
	Every = 5 * time.Second
	// kept is how many samples there are: an hour of them.
	kept = int(time.Hour / Every)
)

// History is samples of an engine. Any goroutine may use it.
type History struct {
	e     *engine.Engine
	clock func() time.Time

	mu   sync.Mutex
	last counts
	all  []Sample // the oldest first
}

// NewHistory returns the history of an engine from now on, until ctx ends. Its times are those of clock, which is the real one: that of an engine may stand
// still. nil: there is no engine, and never a sample.
func NewHistory(ctx context.Context, e *engine.Engine, clock func() time.Time) *History {
	h := &History{e: e, clock: clock}
	if e != nil {
		h.Sample()
		go h.run(ctx)
	}
	return h
}

func (h *History) run(ctx context.Context) {
	t := time.NewTicker(Every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			h.Sample()
		case <-h.e.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}

// Sample takes a sample now. A closed engine has none.
func (h *History) Sample() {
	st, err := h.e.Stats()
	if err != nil {
		return
	}
	now := countsOf(h.clock(), &st)
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.last.at.IsZero() {
		if len(h.all) == kept {
			h.all = append(h.all[:0], h.all[1:]...)
		}
		h.all = append(h.all, now.since(h.last, &st))
	}
	h.last = now
}

// Samples returns the samples, the oldest first.
func (h *History) Samples() []Sample {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Sample(nil), h.all...)
}

// Latest returns the last sample; ok is false before the first one.
func (h *History) Latest() (s Sample, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.all) == 0 {
		return s, false
	}
	return h.all[len(h.all)-1], true
}

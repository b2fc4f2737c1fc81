package live

import (
	"bytes"
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Interval is how often the API reads the rows of a ranking while somebody watches them.
const Interval = 200 * time.Millisecond

// Top is one state of the first rows of a ranking, as JSON.
type Top struct {
	ID   string // the same for the same rows
	Data []byte
	Err  error         // reading has failed: the last state
	next chan struct{} // closed when there is another state
}

// Next is closed when there is another state.
func (t *Top) Next() <-chan struct{} { return t.next }

// Tops reads the first rows of rankings for all who watch them. Any goroutine may use it.
type Tops struct {
	ctx   context.Context // ends all
	mu    sync.Mutex
	all   map[string]*watched
	every time.Duration
	tick  func(d time.Duration) (c <-chan time.Time, stop func())
}

// watched is rows that somebody watches.
type watched struct {
	clients int
	stop    context.CancelFunc
	current *Top
	ready   chan struct{} // closed when the first state is there
}

// NewTops returns Tops that end with a context, and read what is watched that often. tick makes tickers; nil: those of package time.
func NewTops(ctx context.Context, every time.Duration, tick func(d time.Duration) (c <-chan time.Time, stop func())) *Tops {
	if tick == nil {
		tick = func(d time.Duration) (<-chan time.Time, func()) {
			t := time.NewTicker(d)
			return t.C, t.Stop
		}
	}
	return &Tops{ctx: ctx, all: map[string]*watched{}, every: every, tick: tick}
}

// Watch returns rows that key stands for, and which read reads; leave says that they are not watched any more. current returns the present state: it waits
// for the first one.
func (t *Tops) Watch(key string, read func() ([]byte, error)) (current func(ctx context.Context) (*Top, error), leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.all[key]
	if w == nil {
		ctx, stop := context.WithCancel(t.ctx)
		w = &watched{stop: stop, ready: make(chan struct{})}
		t.all[key] = w
		go t.follow(ctx, w, read)
	}
	w.clients++
	return func(ctx context.Context) (*Top, error) {
		select {
		case <-w.ready:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-t.ctx.Done():
			return nil, context.Cause(t.ctx)
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		return w.current, nil
	}, sync.OnceFunc(func() { t.leave(key, w) })
}

// Keys returns what is watched, for tests and figures. O(keys).
func (t *Tops) Keys() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.all))
}

func (t *Tops) leave(key string, w *watched) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if w.clients--; w.clients == 0 {
		w.stop()
		if t.all[key] == w {
			delete(t.all, key)
		}
	}
}

// follow reads rows until nobody watches them or reading fails.
func (t *Tops) follow(ctx context.Context, w *watched, read func() ([]byte, error)) {
	tick, stop := t.tick(t.every)
	defer stop()
	for {
		data, err := read()
		if t.put(w, data, err); err != nil {
			return
		}
		select {
		case <-tick:
		case <-ctx.Done():
			return
		}
	}
}

// put makes rows the present state, if they are others.
func (t *Tops) put(w *watched, data []byte, err error) {
	h := fnv.New64a()
	_, _ = h.Write(data)
	top := &Top{ID: strconv.FormatUint(h.Sum64(), 36), Data: data, Err: err, next: make(chan struct{})}
	t.mu.Lock()
	defer t.mu.Unlock()
	before := w.current
	if before != nil && err == nil && bytes.Equal(before.Data, data) {
		return
	}
	if w.current = top; before == nil {
		close(w.ready)
	} else {
		close(before.next)
	}
	if err != nil { // who comes later begins again
		for key, x := range t.all {
			if x == w {
				delete(t.all, key)
			}
		}
	}
}

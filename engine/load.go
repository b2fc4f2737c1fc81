package engine

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/zset"
)

// A set that exists and has no z is on the disk only, as the last snapshot has it: nothing can have changed it since. It is
// read without any lock, so that nobody waits for it but those who want it; the set's lock is held to note that it is being
// read, and to put z in its place.

// loading is a set that is being read. Whoever wants the set waits for it.
type loading struct {
	done chan struct{}
	err  error // read after done
}

// cold reports whether the set is on the disk only. The caller holds its lock.
func (s *set) cold() bool { return s.exists && s.z == nil }

// load brings a set into memory if it is on the disk only. The caller holds no lock. After an error the next one tries again.
// O(members log members).
func (e *Engine) load(s *set) error {
	e.lockSet(s, "load", "")
	if s.gone || !s.cold() {
		s.mu.Unlock()
		return nil
	}
	if s.rare != nil && s.rare.loading != nil {
		l := s.rare.loading
		s.mu.Unlock()
		<-l.done
		return l.err
	}
	l, id := &loading{done: make(chan struct{})}, s.id()
	s.extra().loading = l
	s.mu.Unlock()
	began := time.Now()
	z, f, err := e.read(s, id)
	e.loaded(s, z, time.Since(began))
	s.mu.Lock()
	s.rare.loading = nil
	switch {
	case s.gone:
		err = nil // it has been dropped meanwhile, and its pages with it; the next look finds out
	case err == nil:
		e.fit(z)
		s.z, s.version = z, f.version
		s.setDigest(f.digest)
		e.memory.loads.Add(1)
	}
	s.slim()
	e.account(s)
	s.mu.Unlock()
	l.err = err
	close(l.done)
	return err
}

// loaded tells of a set if reading it was slow.
func (e *Engine) loaded(s *set, z *zset.IntSet, took time.Duration) {
	if z != nil && e.slowCall >= 0 && took >= e.slowCall {
		e.events.tell(Event{Kind: EventSlowLoad, Key: s.key, Duration: took, Bytes: int64(z.Size())})
	}
}

// loadAll loads sets, several at a time, and returns the first error.
func (e *Engine) loadAll(sets []*set) error {
	if len(sets) == 1 {
		return e.load(sets[0])
	}
	return inParallel(len(sets), func(i int) error { return e.load(sets[i]) })
}

// inParallel calls do for 0 to n-1 from several goroutines, until one call returns an error, and returns that.
func inParallel(n int, do func(i int) error) error {
	var next atomic.Int64
	var once sync.Once
	var failed error
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					once.Do(func() { failed = err })
					next.Store(int64(n))
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// read reads a set from the disk, a big one with several goroutines, and makes room for it first.
func (e *Engine) read(s *set, id string) (*zset.IntSet, facts, error) {
	r, err := e.record(id)
	if err != nil {
		return nil, facts{}, err
	}
	s.mu.Lock()
	e.expect(s, r)
	s.mu.Unlock()
	e.makeRoom()
	b, f, err := e.builder(r)
	if err != nil {
		return nil, facts{}, err
	}
	return b.Set(), f, nil
}

// record returns where the last snapshot has put a set.
func (e *Engine) record(id string) (setOnDisk, error) {
	r, ok, err := e.store.Set(id)
	if err == nil && !ok {
		err = fmt.Errorf("%w: set %q has no record", ErrCorrupt, id)
	}
	return r, e.closedError(err)
}

// builder returns a builder that holds what the disk has of a set.
func (e *Engine) builder(r setOnDisk) (*zset.IntBuilder, facts, error) {
	f, err := decodeFacts(r.Key, r.Meta)
	if err != nil {
		return nil, facts{}, err
	}
	b, err := newBuilder(r.Key, f)
	if err != nil {
		return nil, facts{}, err
	}
	pages := func(from, to int) iter.Seq2[[]byte, error] { return e.store.PagesOf(r, from, to) }
	err = b.LoadPages(r.Pages, runtime.GOMAXPROCS(0), pages)
	if errors.Is(err, zset.ErrCorruptPage) {
		err = fmt.Errorf("%w: set %q: %w", ErrCorrupt, r.Key, err)
	}
	return b, f, e.closedError(err)
}

// newBuilder returns an empty builder for a set with these facts.
func newBuilder(key string, f facts) (*zset.IntBuilder, error) {
	b, err := f.form().builder()
	if err != nil {
		return nil, fmt.Errorf("%w: set %q: %w", ErrCorrupt, key, err)
	}
	return b, nil
}

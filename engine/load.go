package engine

import (
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A set that exists and has no z is on the disk only, as the last snapshot has it: nothing can have changed it since. It is
// read without any lock, so that nobody waits for it but those who want it; the set's lock is held to note that it is being
// read, and to put z in its place.

// load brings a set into memory if it is on the disk only. The caller holds no lock. After an error the next one tries again.
// O(members log members).
func (m *residency) load(s *set) error {
	m.locks.lock(&s.mu, "load", "")
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
	z, f, err := m.read(s, id)
	m.loaded(s, z, time.Since(began))
	s.mu.Lock()
	s.rare.loading = nil
	switch {
	case s.gone:
		err = nil // it has been dropped meanwhile, and its pages with it; the next look finds out
	case err == nil:
		m.keys.limits.fit(z)
		s.z, s.version = z, f.version
		s.setDigest(f.digest)
		m.loads.Add(1)
	}
	s.slim()
	m.accounts.account(s)
	s.mu.Unlock()
	l.err = err
	close(l.done)
	return err
}

// loaded tells of a set if reading it was slow.
func (m *residency) loaded(s *set, z *zset.IntSet, took time.Duration) {
	if z != nil && m.slow >= 0 && took >= m.slow {
		m.events.tell(Event{Kind: EventSlowLoad, Key: s.key, Duration: took, Bytes: int64(z.Size())})
	}
}

// loadAll loads sets, several at a time, and returns the first error.
func (m *residency) loadAll(sets []*set) error {
	if len(sets) == 1 {
		return m.load(sets[0])
	}
	return inParallel(len(sets), func(i int) error { return m.load(sets[i]) })
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
func (m *residency) read(s *set, id string) (*zset.IntSet, facts, error) {
	r, err := m.record(id)
	if err != nil {
		return nil, facts{}, err
	}
	s.mu.Lock()
	m.accounts.expect(s, guess(r))
	s.mu.Unlock()
	m.makeRoom()
	b, f, err := m.builder(r)
	if err != nil {
		return nil, facts{}, err
	}
	return b.Set(), f, nil
}

// record returns where the last snapshot has put a set.
func (m *residency) record(id string) (persist.SetRecord, error) {
	r, ok, err := m.store.Set(id)
	if err == nil && !ok {
		err = fmt.Errorf("%w: set %q has no record", persist.ErrCorrupt, id)
	}
	return r, closedError(err)
}

// builder returns a builder that holds what the disk has of a set.
func (m *residency) builder(r persist.SetRecord) (*zset.IntBuilder, facts, error) {
	f, err := decodeFacts(r.Key, r.Meta)
	if err != nil {
		return nil, facts{}, err
	}
	b, err := newBuilder(r.Key, f)
	if err != nil {
		return nil, facts{}, err
	}
	pages := func(from, to int) iter.Seq2[[]byte, error] { return m.store.PagesOf(r, from, to) }
	err = b.LoadPages(r.Pages, runtime.GOMAXPROCS(0), pages)
	if errors.Is(err, zset.ErrCorruptPage) {
		err = fmt.Errorf("%w: set %q: %w", persist.ErrCorrupt, r.Key, err)
	}
	return b, f, closedError(err)
}

// newBuilder returns an empty builder for a set with these facts.
func newBuilder(key string, f facts) (*zset.IntBuilder, error) {
	b, err := f.form().builder()
	if err != nil {
		return nil, fmt.Errorf("%w: set %q: %w", persist.ErrCorrupt, key, err)
	}
	return b, nil
}

package residency

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A set that exists and has no Entries is on the disk only. Only blind writes can have changed it since the last snapshot: see
// keyspace.Blind. It is read without any lock, so that only callers that want the set wait for it. Its record does not change meanwhile (B3).
// The set's lock is held to mark it as loading, and to apply the blind writes and store its entries.

// Load brings a set into memory if it is on the disk only. The caller holds no lock. After an error the next call tries again. Accounts.Used has
// so many bytes reserved for the set, which counts in their place afterwards. O(members log members).
func (m *Manager) Load(s *keyspace.Set, reserved int64) error {
	m.locks.Lock(&s.Mu, "load", "")
	if s.Gone || !s.Cold() {
		s.Mu.Unlock()
		m.accounts.Used.Add(-reserved)
		return nil
	}
	if s.Rare != nil && s.Rare.Loading != nil {
		l := s.Rare.Loading
		s.Mu.Unlock()
		m.accounts.Used.Add(-reserved)
		<-l.Done
		return l.Err
	}
	l, id := &keyspace.Loading{Done: make(chan struct{})}, s.Id()
	s.Extra().Loading = l
	s.Mu.Unlock()
	began := time.Now()
	z, f, err := m.read(id)
	m.reportSlow(s, z, time.Since(began))
	s.Mu.Lock()
	s.Rare.Loading = nil
	switch {
	case s.Gone:
		err = nil // it has been dropped meanwhile, with its pages; the caller looks the key up again
	case err == nil:
		err = m.install(s, z, f)
	}
	s.Slim()
	m.accounts.Loaded(s, reserved)
	m.Room.loaded(s)
	s.Mu.Unlock()
	l.Err = err
	close(l.Done)
	return err
}

// install gives a set its entries and facts, as they were read from the disk, after the blind writes. The caller holds its lock for writing.
func (m *Manager) install(s *keyspace.Set, z *zset.IntSet, f facts.Facts) error {
	if b := s.Blind(); b != nil {
		if err := b.Apply(z); err != nil {
			return fmt.Errorf("%w: set %q: %w", persist.ErrCorrupt, s.Id(), err)
		}
		f.Version, f.Digest = s.Version, b.Digest
		s.SetBlind(nil)
	}
	m.keys.Limits.Fit(z)
	s.Entries, s.Version = z, f.Version
	s.SetDigest(f.Digest)
	m.Loads.Add(1)
	return nil
}

// LoadToWrite loads a set with blind writes for a snapshot, and returns the bytes that it takes. Unless a transaction uses the set, it leaves memory
// when the caller calls Accounts.LeaveUnused after it was written. LoadToWrite does not wait for room: the caller loads few sets at a time, and a
// transaction that waits for room may wait for the snapshot. The caller holds no lock.
func (m *Manager) LoadToWrite(s *keyspace.Set) (bytes int, err error) {
	if err := m.Load(s, 0); err != nil {
		return 0, err
	}
	s.Used.Store(keyspace.Leaving)
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return s.Size, nil
}

// Recorded returns what the records of sets on the disk only say of them, for the first blind writes. The ids are in order. The caller holds the locks
// of the sets, so no snapshot writes them meanwhile.
func (m *Manager) Recorded(ids []string) (all []*keyspace.Blind, err error) {
	for r, err := range m.store.SetsOf(ids) {
		if err != nil {
			return nil, locks.ClosedError(err)
		}
		if r.Key != ids[len(all)] {
			break
		}
		f, err := facts.DecodeFacts(r.Key, r.Meta)
		if err != nil {
			return nil, err
		}
		all = append(all, &keyspace.Blind{Layout: f.Layout(), Members: r.Entries, Digest: f.Digest})
	}
	if len(all) < len(ids) {
		return nil, noRecord(ids[len(all)])
	}
	return all, nil
}

// noRecord returns an ErrCorrupt that names a set.
func noRecord(id string) error {
	return fmt.Errorf("%w: set %q has no record", persist.ErrCorrupt, id)
}

// reportSlow emits an event if reading the set was slow.
func (m *Manager) reportSlow(s *keyspace.Set, z *zset.IntSet, took time.Duration) {
	if z != nil && m.slow >= 0 && took >= m.slow {
		m.events.Emit(observe.Event{Kind: observe.EventSlowLoad, Key: s.Key, Duration: took, Bytes: int64(z.Size())})
	}
}

// Reserve waits until there is room for those of a transaction's sets that are on the disk only, pins all of them, and returns the bytes that it
// has reserved for each. LoadAll must follow, and then Unpin. writes says that the transaction may change sets. The caller holds no lock. Errors:
// those of Room.Admit; then no set is pinned.
func (m *Manager) Reserve(ctx context.Context, sets []*keyspace.Set, writes bool, p *Pass) ([]int64, error) {
	w := &waiter{wants: sets, needs: make([]int64, len(sets)), writes: writes}
	if m.accounts.Limit == 0 {
		pin(sets, 1)
		return w.needs, nil
	}
	for i, s := range sets {
		w.needs[i] = m.needs(s)
	}
	if err := m.Room.reserve(ctx, w, p); err != nil {
		return nil, err
	}
	m.EvictIfDue()
	return w.needs, nil
}

// Unpin ends what Reserve has begun.
func (m *Manager) Unpin(sets []*keyspace.Set) { pin(sets, -1) }

// LoadAll loads those of the sets that are on the disk only, several at a time, and returns the first error. Reserve has returned the given
// bytes for them. The caller holds no lock.
func (m *Manager) LoadAll(sets []*keyspace.Set, reserved []int64) error {
	done := make([]bool, len(sets))
	err := InParallel(len(sets), func(i int) error {
		if done[i] = m.cold(sets[i]); !done[i] {
			return nil
		}
		return m.Load(sets[i], reserved[i])
	})
	for i := range sets {
		if !done[i] { // it is in memory, or another one had an error before
			m.accounts.Used.Add(-reserved[i])
		}
	}
	return err
}

// cold reports whether a set is on the disk only.
func (m *Manager) cold(s *keyspace.Set) bool {
	m.locks.Rlock(&s.Mu, "load", "")
	defer s.Mu.RUnlock()
	return !s.Gone && s.Cold()
}

// needs returns about how many bytes of memory the set will take when it has been loaded: as many as when it left memory, or an estimate, which is
// too high for most sets. 0: it is in memory, or another caller has room for it.
func (m *Manager) needs(s *keyspace.Set) int64 {
	m.locks.Rlock(&s.Mu, "load", "")
	wanted, took, id := mustLoad(s), s.Size, s.Id()
	s.Mu.RUnlock()
	if !wanted {
		return 0
	}
	if took > 0 {
		return int64(took)
	}
	r, err := m.Record(id)
	if err != nil {
		return 0 // Load reports it, unless the set has been dropped meanwhile
	}
	return guess(r)
}

// InParallel calls do for 0 to n-1 from several goroutines, until one call returns an error. It returns the first error.
func InParallel(n int, do func(i int) error) error {
	if n == 1 {
		return do(0)
	}
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

// read reads a set from the disk, a big one with several goroutines.
func (m *Manager) read(id string) (*zset.IntSet, facts.Facts, error) {
	r, err := m.Record(id)
	if err != nil {
		return nil, facts.Facts{}, err
	}
	b, f, err := m.Builder(r)
	if err != nil {
		return nil, facts.Facts{}, err
	}
	return b.Set(), f, nil
}

// Record returns the record of a set in the last snapshot.
func (m *Manager) Record(id string) (persist.SetRecord, error) {
	r, ok, err := m.store.Set(id)
	if err == nil && !ok {
		err = noRecord(id)
	}
	return r, locks.ClosedError(err)
}

// Builder returns a builder with the entries that a record leads to, and the set's facts.
func (m *Manager) Builder(r persist.SetRecord) (*zset.IntBuilder, facts.Facts, error) {
	f, err := facts.DecodeFacts(r.Key, r.Meta)
	if err != nil {
		return nil, facts.Facts{}, err
	}
	b, err := NewBuilder(r.Key, f)
	if err != nil {
		return nil, facts.Facts{}, err
	}
	pages := func(from, to int) iter.Seq2[[]byte, error] { return m.store.PagesOf(r, from, to) }
	err = b.LoadPages(r.Pages, runtime.GOMAXPROCS(0), pages)
	if errors.Is(err, zset.ErrCorruptPage) {
		err = fmt.Errorf("%w: set %q: %w", persist.ErrCorrupt, r.Key, err)
	}
	return b, f, locks.ClosedError(err)
}

// NewBuilder returns an empty builder for a set with these facts.
func NewBuilder(key string, f facts.Facts) (*zset.IntBuilder, error) {
	b, err := f.Layout().NewBuilder()
	if err != nil {
		return nil, fmt.Errorf("%w: set %q: %w", persist.ErrCorrupt, key, err)
	}
	return b, nil
}

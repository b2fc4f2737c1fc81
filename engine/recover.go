package engine

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// Recovery tells what Open did.
type Recovery struct {
	Sets     int // in the last snapshot
	Loaded   int // of those, read because the log's tail names them
	Commits  int // replayed from the log
	LastSeq  uint64
	Duration time.Duration
}

// setOnDisk is where the last snapshot has put a set.
type setOnDisk = persist.SetRecord

// recover fills the keyspace from the store: every set's name from the last snapshot, then the log's tail.
func (e *Engine) recover() error {
	start := time.Now()
	for r, err := range e.store.Sets() {
		if err != nil {
			return err
		}
		s := e.keys.obtain(r.Key)
		s.stored, s.base, s.exists = &r, r.Base, true
		e.recovery.Sets++
	}
	last := uint64(0)
	err := e.store.Replay(func(seq uint64, effect persist.Effect) error {
		if seq != last {
			last = seq
			e.recovery.Commits++
		}
		return e.replay(seq, effect)
	})
	if err != nil {
		return err
	}
	for _, s := range e.keys.all() {
		if !s.exists {
			e.keys.remove(s)
			if s.stored != nil {
				e.dropped[s.key] = s.changed
			}
		}
	}
	e.recovery.LastSeq = e.store.LastSeq()
	e.recovery.Duration = time.Since(start)
	return nil
}

// replay applies one effect of the log, unless the snapshot of its set holds it already.
func (e *Engine) replay(seq uint64, effect persist.Effect) error {
	s := e.keys.obtain(effect.Set)
	if seq <= s.base {
		return nil
	}
	if s.z == nil && s.exists {
		e.recovery.Loaded++
		if err := e.load(s); err != nil {
			return err
		}
	}
	s.changed = seq
	switch effect.Kind {
	case persist.Create:
		return s.create(effect.Value)
	case persist.Drop:
		s.z, s.exists = nil, false
		return nil
	}
	if s.z == nil {
		return fmt.Errorf("%w: commit %d changes a member of set %q, which does not exist", ErrCorrupt, seq, effect.Set)
	}
	if effect.Kind == persist.Remove {
		s.z.Remove(effect.Member)
		return nil
	}
	if len(effect.Value) != 8+s.z.TieWidth() {
		return fmt.Errorf("%w: commit %d: value of %d bytes in set %q", ErrCorrupt, seq, len(effect.Value), effect.Set)
	}
	score := math.Float64frombits(binary.BigEndian.Uint64(effect.Value))
	if _, err := s.z.AddTied(effect.Member, effect.Value[8:], score); err != nil {
		return fmt.Errorf("%w: commit %d: set %q: %w", ErrCorrupt, seq, effect.Set, err)
	}
	return nil
}

// create makes a set exist as an effect says, or brings its version up to date.
func (s *set) create(meta []byte) error {
	f, err := decodeFacts(s.key, meta)
	if err != nil {
		return err
	}
	if !s.exists {
		if s.z, err = zset.New(zset.Options{TieWidth: f.tieWidth}); err != nil {
			return fmt.Errorf("%w: set %q: %w", ErrCorrupt, s.key, err)
		}
		s.exists = true
	}
	s.version = f.version
	return nil
}

// load reads a set's pages if it exists on the disk only. The caller holds its lock for writing. O(members log members).
func (e *Engine) load(s *set) error {
	if s.z != nil || !s.exists {
		return nil
	}
	f, err := decodeFacts(s.key, s.stored.Meta)
	if err != nil {
		return err
	}
	b, err := zset.NewBuilder(zset.Options{TieWidth: f.tieWidth})
	if err != nil {
		return fmt.Errorf("%w: set %q: %w", ErrCorrupt, s.key, err)
	}
	i := 0
	for page, err := range e.store.Pages(*s.stored) {
		if err != nil {
			return e.closedError(err)
		}
		if err := b.LoadPageAt(page, i); err != nil {
			return fmt.Errorf("%w: set %q: %w", ErrCorrupt, s.key, err)
		}
		i++
	}
	s.z, s.version = b.Set(), f.version
	return nil
}

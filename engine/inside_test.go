package engine

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/zset"
)

// inOrderInside checks the state of an idle engine besides the members of its sets:
//
//   - K1: each set that exists is found by its key, and only by that
//   - K2: no two sets have the same id; Keyspace.Ids has exactly the ids that differ from their set's key
//   - K3: Expiries has exactly the sets with an expiry
//   - K4: the counter of sets is right; no sets are staged, and none listed as moved
func inOrderInside(e *Engine) error {
	e.checkpoints.Running.Lock()
	defer e.checkpoints.Running.Unlock()
	seen := inside{map[string]string{}, map[string]struct{}{}, map[string]int64{}}
	for i := range e.keys.Shards {
		if err := seen.addAll(e, &e.keys.Shards[i]); err != nil {
			return err
		}
	}
	e.keys.Ids.Mu.Lock()
	defer e.keys.Ids.Mu.Unlock()
	if !maps.Equal(seen.foreign, e.keys.Ids.Ids) {
		return fmt.Errorf("violates K2: foreign ids are %q, want %q", e.keys.Ids.Ids, seen.foreign)
	}
	if scheduled := allExpiries(e.m.expiries); !maps.Equal(seen.due, scheduled) {
		return fmt.Errorf("violates K3: expiries has %v, want %v", scheduled, seen.due)
	}
	e.keys.Moving.Lock()
	defer e.keys.Moving.Unlock()
	if k := e.keys; e.counters.Sets() != len(seen.ids) || len(k.Staged) > 0 || len(k.Moved) > 0 || k.Listings != 0 {
		return fmt.Errorf("violates K4: count %d, want %d; %d staged, %d moved, %d listings", e.counters.Sets(), len(seen.ids),
			len(k.Staged), len(k.Moved), k.Listings)
	}
	return nil
}

// inside collects the ids and expiries of the sets.
type inside struct {
	ids     map[string]string // of all, with their keys
	foreign map[string]struct{}
	due     map[string]int64
}

func (x *inside) addAll(e *Engine, sh *keyspace.Shard) error {
	sh.Mu.RLock()
	sets := slices.Collect(sh.Sets.All())
	sh.Mu.RUnlock()
	for _, s := range sets {
		if err := x.add(e, sh, s); err != nil {
			return err
		}
	}
	return nil
}

func (x *inside) add(e *Engine, sh *keyspace.Shard, s *keyspace.Set) error {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	key := s.Key
	if e.keys.Shard(key) != sh || e.keys.Find(key) != s || s.Gone || !s.Exists || s.Hidden() {
		return fmt.Errorf("violates K1: a set with the key %q does not belong where it is: exists %v, gone %v, hidden %v", key, s.Exists, s.Gone, s.Hidden())
	}
	id := s.Id()
	if other, twice := x.ids[id]; twice {
		return fmt.Errorf("violates K2: %q and %q have the id %q", key, other, id)
	}
	if x.ids[id] = key; id != key {
		x.foreign[id] = struct{}{}
	}
	if at := s.Expires(); at != 0 {
		x.due[key] = at
	}
	return nil
}

// allExpiries returns the expiry of each key in the index.
func allExpiries(x *keyspace.Expiries) map[string]int64 {
	x.Mu.Lock()
	defer x.Mu.Unlock()
	all := map[string]int64{}
	for key, at := range x.Due.View().Range(0, x.Due.Len()) {
		all[string(key)] = at
	}
	return all
}

func newSet() (*zset.Set, error) { return zset.New(zset.Options{}) }

// install puts z under a key, in place of any set that the key has.
func install(e *Engine, ctx context.Context, key string, z *zset.Set) error {
	return e.ops.install(ctx, key, zset.As[int64](z), 0, facts.Digest{}, func(instant) bool { return true })
}

// obtained returns the set of a key, which is made if there is none.
func obtained(e *Engine, key string) *keyspace.Set {
	s, _ := e.keys.Obtain(key)
	return s
}

package engine

import (
	"context"
	"fmt"
	"maps"

	"github.com/zrankdb/zrank/zset"
)

// inOrderInside checks what an engine that nobody changes meanwhile knows of its sets besides their members:
//
//   - K1: each set that exists is found by its key, and only by that
//   - K2: no two have one id; the ids that are not their set's key are those in foreign
//   - K3: expiries has the sets that vanish at some time, and no others
//   - K4: count is how many there are; none are staged, and none noted as moved
func inOrderInside(e *Engine) error {
	e.checkpoints.running.Lock()
	defer e.checkpoints.running.Unlock()
	seen := inside{map[string]string{}, map[string]struct{}{}, map[string]int64{}}
	for i := range e.keys.shards {
		if err := seen.addAll(&e.keys.shards[i]); err != nil {
			return err
		}
	}
	e.keys.ids.mu.Lock()
	defer e.keys.ids.mu.Unlock()
	if !maps.Equal(seen.foreign, e.keys.ids.ids) {
		return fmt.Errorf("violates K2: foreign ids are %q, want %q", e.keys.ids.ids, seen.foreign)
	}
	if scheduled := allExpiries(e.m.expiries); !maps.Equal(seen.due, scheduled) {
		return fmt.Errorf("violates K3: expiries has %v, want %v", scheduled, seen.due)
	}
	e.keys.moving.Lock()
	defer e.keys.moving.Unlock()
	if k := e.keys; e.counters.sets() != len(seen.ids) || len(k.staged) > 0 || len(k.moved) > 0 || k.listings != 0 {
		return fmt.Errorf("violates K4: count %d, want %d; %d staged, %d moved, %d listings", e.counters.sets(), len(seen.ids),
			len(k.staged), len(k.moved), k.listings)
	}
	return nil
}

// inside is what the sets themselves say.
type inside struct {
	ids     map[string]string // of all, with their keys
	foreign map[string]struct{}
	due     map[string]int64
}

func (x *inside) addAll(sh *shard) error {
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	for key, s := range sh.sets {
		if err := x.add(key, s); err != nil {
			return err
		}
	}
	return nil
}

func (x *inside) add(key string, s *set) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.key != key || s.gone || !s.exists || s.hidden() {
		return fmt.Errorf("violates K1: under %q is a set %q, exists %v, gone %v, hidden %v", key, s.key, s.exists, s.gone, s.hidden())
	}
	id := s.id()
	if other, twice := x.ids[id]; twice {
		return fmt.Errorf("violates K2: %q and %q have the id %q", key, other, id)
	}
	if x.ids[id] = key; id != key {
		x.foreign[id] = struct{}{}
	}
	if at := s.expires(); at != 0 {
		x.due[key] = at
	}
	return nil
}

// all returns when which set is gone.
func allExpiries(x *expiries) map[string]int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := map[string]int64{}
	for key, at := range x.due.View().Range(0, x.due.Len()) {
		all[string(key)] = at
	}
	return all
}

func newSet() (*zset.Set, error) { return zset.New(zset.Options{}) }

// install makes a set that of a key, whatever the key has.
func install(e *Engine, ctx context.Context, key string, z *zset.Set) error {
	return e.ops.install(ctx, key, zset.As[int64](z), 0, digest{}, func(instant) bool { return true })
}

// obtained returns the set of a key, which is made if there is none.
func obtained(e *Engine, key string) *set {
	s, _ := e.keys.obtain(key)
	return s
}

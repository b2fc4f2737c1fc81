package board

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Board is an open board. Its methods may be called from any goroutine.
type Board struct {
	e    *engine.Engine
	spec Spec
	keys []keyCache // parallel to spec.Windows
}

// keyCache remembers the key of the period last written to: most submissions belong to it.
type keyCache struct{ last atomic.Pointer[periodKey] }

type periodKey struct {
	start, end time.Time
	key        string
}

const prefix = "board/"

// Open returns the board with spec.Name, making it if there is none. The order of windows may differ from the stored one,
// which stays. Errors: ErrSpec, ErrSpecChanged if it exists with another spec, those of the engine.
func Open(e *engine.Engine, spec Spec) (b *Board, err error) {
	err = e.Update(nil, func(tx *engine.Tx) error {
		b, err = OpenTx(e, tx, spec)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b, nil
}

// OpenTx is Open as part of a transaction of the engine e: a board that it makes exists if the transaction is committed. One
// that names Spec.Keys may submit to it too. Errors: as Open.
func OpenTx(e *engine.Engine, tx *engine.Tx, spec Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.withDefaults()
	spec.Windows = slices.Clone(spec.Windows) // the caller keeps its own
	b, ok, err := tx.Get(prefix + spec.Name)
	if err != nil {
		return nil, err
	}
	if !ok {
		if b, err = spec.encode(); err != nil {
			return nil, err
		}
		return newBoard(e, spec), tx.Put(prefix+spec.Name, b)
	}
	stored, err := decodeSpec(b)
	if err != nil {
		return nil, err
	}
	if diff := spec.Differences(stored); diff != nil {
		return nil, fmt.Errorf("%w: %q: %s", ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
	}
	return newBoard(e, stored), nil
}

func newBoard(e *engine.Engine, spec Spec) *Board {
	return &Board{e: e, spec: spec, keys: make([]keyCache, len(spec.Windows))}
}

// Lookup returns the board with a name. Errors: ErrNoBoard, those of the engine.
func Lookup(e *engine.Engine, name string) (*Board, error) {
	var spec Spec
	err := e.View(nil, func(tx *engine.Tx) error {
		b, ok, err := tx.Get(prefix + name)
		if err == nil && !ok {
			err = fmt.Errorf("%w: %q", ErrNoBoard, name)
		}
		if err == nil {
			spec, err = decodeSpec(b)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return newBoard(e, spec), nil
}

// Spec returns what the board is stored with, defaults filled in.
func (b *Board) Spec() Spec {
	spec := b.spec
	spec.Windows = slices.Clone(spec.Windows)
	return spec
}

// Periods returns the periods of a window that hold anybody, in order of time. O(sets of the engine). Errors: ErrNoWindow,
// those of the engine.
func (b *Board) Periods(w Window) ([]string, error) {
	if err := b.has(w); err != nil {
		return nil, err
	}
	from := b.spec.key(w, "")
	keys, err := b.e.Keys(from)
	for i, key := range keys {
		keys[i] = strings.TrimPrefix(key, from)
	}
	return keys, err
}

func (b *Board) has(w Window) error {
	if !b.spec.has(w) {
		return fmt.Errorf("%w: %q has %s, not %q", ErrNoWindow, b.spec.Name, list(b.spec.Windows), w)
	}
	return nil
}

// keyAt returns the key of the period of a board's i-th window that t lies in.
func (b *Board) keyAt(i int, t time.Time) string {
	cache := &b.keys[i].last
	if k := cache.Load(); k != nil && (k.start.Equal(k.end) || !t.Before(k.start) && t.Before(k.end)) {
		return k.key
	}
	w := b.spec.Windows[i]
	k := &periodKey{key: b.spec.key(w, w.Period(t))}
	k.start, k.end = w.span(t)
	cache.Store(k)
	return k.key
}

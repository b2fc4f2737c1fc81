package board

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Boards is the boards of an engine. Its methods, and those of its boards, may be called from any goroutine.
type Boards struct {
	e      *engine.Engine
	log    *slog.Logger
	keeper keeper

	mu     sync.RWMutex
	boards map[string]*Board
	closed bool
}

// Options are for Open; the zero value is right for most.
type Options struct {
	// Logger hears of periods that were closed or dropped, and of what went wrong with that. nil: nobody does.
	Logger *slog.Logger
}

// opened has the engines whose boards are open: each may have been opened once, since Boards knows what is closed.
var opened sync.Map

// Open opens the boards of an engine, and starts the goroutine that closes periods in time; those whose time was up meanwhile are
// closed before it returns, in the order of time (B6). Close ends it; so does closing the engine. O(boards + closed periods + sets
// of boards). Errors: ErrOpen, those of the engine, and of specs that are damaged or of a later version.
func Open(e *engine.Engine, o Options) (*Boards, error) {
	bs := &Boards{e: e, log: o.Logger, boards: map[string]*Board{}}
	if bs.log == nil {
		bs.log = slog.New(slog.DiscardHandler)
	}
	if _, is := opened.LoadOrStore(e, bs); is {
		return nil, ErrOpen
	}
	err := bs.load()
	if err == nil {
		_, err = bs.CloseDue()
	}
	if err != nil {
		opened.Delete(e)
		return nil, err
	}
	bs.keeper.start(bs)
	return bs, nil
}

// Close ends the goroutine that closes periods. The engine stays open. Calls on the boards return ErrClosed from then on; those on
// rankings go on. Close twice is nil.
func (bs *Boards) Close() error {
	bs.mu.Lock()
	was := bs.closed
	bs.closed = true
	bs.mu.Unlock()
	if !was {
		bs.keeper.stop()
		opened.CompareAndDelete(bs.e, bs)
	}
	return nil
}

// load reads what is stored of the boards.
func (bs *Boards) load() error {
	err := bs.e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(specKey("")) {
			if err != nil {
				return err
			}
			spec, version, err := decodeSpec(kv.Value)
			if err != nil {
				return err
			}
			st, err := newState(spec, version)
			if err != nil {
				return err
			}
			b := newBoard(bs, st)
			if err := b.load(tx); err != nil {
				return err
			}
			bs.boards[spec.Name] = b
		}
		return nil
	})
	if err != nil {
		return err
	}
	keys, err := bs.e.Keys(Prefix)
	if err != nil {
		return err
	}
	return bs.find(keys)
}

// find notes the open periods that hold somebody, and drops what migrations have left behind that did not come to their end.
func (bs *Boards) find(keys []string) error {
	for _, key := range keys {
		k, ok := ParseKey(key)
		if !ok {
			continue
		}
		b := bs.boards[k.Board]
		switch {
		case b != nil && b.state.Load().has(k):
		case b == nil, strings.HasPrefix(k.Kind, "."+"once"), strings.HasPrefix(k.Kind, bestKind):
		default:
			if _, err := bs.e.Delete(key); err != nil {
				return err
			}
		}
	}
	return nil
}

// has notes a ranking's period as one that may hold somebody, and reports whether it is of the board as it is now.
func (st *state) has(k Key) bool {
	if k.Version != st.version {
		return false
	}
	name, base := strings.CutPrefix(k.Kind, baseKind)
	s, err := st.span(name)
	if err != nil {
		return false
	}
	if base {
		return true
	}
	p, err := s.cal.Parse(k.Period)
	if err == nil {
		s.note(p)
	}
	return err == nil
}

// Define returns the board with spec.Name, making it if there is none. The order of windows may differ from the stored one, which
// stays. Errors: ErrSpec; ErrSpecChanged if it exists with another spec, which names each difference: see Migrate; those of the
// engine.
func (bs *Boards) Define(spec Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.withDefaults()
	bs.mu.Lock()
	defer bs.mu.Unlock()
	if bs.closed {
		return nil, ErrClosed
	}
	if b := bs.boards[spec.Name]; b != nil {
		if diff := spec.Differences(b.state.Load().spec); diff != nil {
			return nil, fmt.Errorf("%w: %q: %s", ErrSpecChanged, spec.Name, strings.Join(diff, "; "))
		}
		return b, nil
	}
	st, err := newState(spec, 1)
	if err != nil {
		return nil, err
	}
	text, err := spec.encode(1)
	if err != nil {
		return nil, err
	}
	if err := bs.e.Update(nil, func(tx *engine.Tx) error { return tx.Put(specKey(spec.Name), text) }); err != nil {
		return nil, err
	}
	b := newBoard(bs, st)
	bs.boards[spec.Name] = b
	return b, nil
}

// Board returns the board with a name. O(1). Errors: ErrNoBoard, ErrClosed.
func (bs *Boards) Board(name string) (*Board, error) {
	bs.mu.RLock()
	defer bs.mu.RUnlock()
	if bs.closed {
		return nil, ErrClosed
	}
	b := bs.boards[name]
	if b == nil {
		return nil, fmt.Errorf("%w: %q", ErrNoBoard, name)
	}
	return b, nil
}

// All returns the boards in the order of their names. O(boards log boards).
func (bs *Boards) All() []*Board {
	bs.mu.RLock()
	defer bs.mu.RUnlock()
	all := make([]*Board, 0, len(bs.boards))
	for _, name := range slices.Sorted(maps.Keys(bs.boards)) {
		all = append(all, bs.boards[name])
	}
	return all
}

// Now returns the time by the engine's clock.
func (bs *Boards) Now() time.Time { return bs.e.Now() }

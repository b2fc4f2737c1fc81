package board

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/engine"
)

// Board is one leaderboard: see Boards.
type Board struct {
	bs    *Boards
	state atomic.Pointer[state]

	// frozen says that no transaction may change the board until changing, which is held meanwhile, is let go.
	frozen   atomic.Bool
	changing sync.RWMutex
	dropped  atomic.Bool

	closing sync.Mutex // of periods: one at a time
}

func newBoard(bs *Boards, st *state) *Board {
	b := &Board{bs: bs}
	b.state.Store(st)
	return b
}

// Name returns the board's name.
func (b *Board) Name() string { return b.state.Load().name }

// Spec returns what the board is stored with, defaults filled in: a copy.
func (b *Board) Spec() Spec { return b.state.Load().spec.withDefaults() }

// Version returns the version in the keys of the board's sets: 1, and one more with each migration.
func (b *Board) Version() int { return b.state.Load().version }

// ready returns what the board is now, and waits while it is being migrated. Errors: ErrClosed, ErrNoBoard.
func (b *Board) ready() (*state, error) {
	if b.frozen.Load() {
		b.changing.RLock()
		b.changing.RUnlock() //nolint:staticcheck // to wait for the migration is all that is wanted
	}
	if b.dropped.Load() {
		return nil, fmt.Errorf("%w: %q", ErrNoBoard, b.Name())
	}
	if b.bs.keeper.stopped() {
		return nil, ErrClosed
	}
	return b.state.Load(), nil
}

// changed reports whether the board is not what it was any more, or is about to be.
func (b *Board) changed(st *state) bool { return b.frozen.Load() || b.state.Load() != st }

// window returns a window of the board by its name. Errors: ErrNoWindow, ErrClosed, ErrNoBoard.
func (b *Board) window(name string) (*state, *span, error) {
	st, err := b.ready()
	if err != nil {
		return nil, nil, err
	}
	s, err := st.span(name)
	return st, s, err
}

// load reads how far the board's windows are closed, and the records of closed periods.
func (b *Board) load(tx *engine.Tx) error {
	st := b.state.Load()
	for _, s := range st.spans {
		text, ok, err := tx.Get(windowKey(st.name, s.Window.Name))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		through, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return fmt.Errorf("board: stored state of window %s of %q: %w", s.Window.Name, st.name, err)
		}
		s.through.Store(through)
	}
	prefix := recordPrefix(st.name)
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return err
		}
		window, _, _ := strings.Cut(strings.TrimPrefix(string(kv.Key), prefix), "\x00")
		s, err := st.span(window)
		if err != nil {
			continue
		}
		var r record
		if err := json.Unmarshal(kv.Value, &r); err != nil {
			return fmt.Errorf("board: stored record %q: %w", kv.Key, err)
		}
		s.addClosed(r)
	}
	return nil
}

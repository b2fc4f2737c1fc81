package board

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

// load reads what is stored of the boards, and clears away what crashes have left.
func (bs *Boards) load() error {
	err := bs.e.View(nil, func(tx *engine.Tx) error {
		if err := bs.loadSpecs(tx); err != nil {
			return err
		}
		if err := bs.loadWindows(tx); err != nil {
			return err
		}
		return bs.loadRecords(tx)
	})
	if err != nil {
		return err
	}
	bs.left.Store(true)
	if err := bs.sweep(); err != nil {
		bs.log.Error("board: what is left of boards, windows and periods cannot be dropped", "err", err)
	} else {
		bs.left.Store(false)
	}
	keys, err := bs.e.Keys(Prefix)
	if err != nil {
		return err
	}
	return bs.find(keys)
}

func (bs *Boards) loadSpecs(tx *engine.Tx) error {
	for kv, err := range tx.Scan(specKey("")) {
		if err != nil {
			return err
		}
		spec, version, err := decodeSpec(kv.Value)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", kv.Key, err)
		}
		st, err := newState(spec, version)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", kv.Key, err)
		}
		b := newBoard(bs, st)
		bs.boards[spec.Name] = b
		bs.list = append(bs.list, b) // keys come in order
	}
	return nil
}

// loadWindows reads how far windows are closed.
func (bs *Boards) loadWindows(tx *engine.Tx) error {
	prefix := windowPrefix()
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return err
		}
		if s := bs.spanOf(string(kv.Key[len(prefix):])); s != nil {
			through, err := strconv.ParseInt(string(kv.Value), 10, 64)
			if err != nil {
				return fmt.Errorf("board: stored as %q, how far the window is closed: %w", kv.Key, err)
			}
			s.raise(through)
		}
	}
	return nil
}

// loadRecords reads the records of closed periods.
func (bs *Boards) loadRecords(tx *engine.Tx) error {
	prefix := recordPrefix()
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return err
		}
		if s := bs.spanOf(string(kv.Key[len(prefix):])); s != nil {
			r, err := decodeRecord(kv.Value)
			if err != nil {
				return fmt.Errorf("board: stored record %q: %w", kv.Key, err)
			}
			s.addClosed(r)
			if s.surplus() != nil {
				s.dueNow()
			}
		}
	}
	return nil
}

// stored returns the value of a private key as others see it, nil for none.
func (bs *Boards) stored(key string) (value []byte, err error) {
	err = bs.e.View(nil, func(tx *engine.Tx) (err error) {
		value, _, err = tx.Get(key)
		return err
	})
	return value, err
}

// spanOf returns the window that the rest of a key begins with, nil if there is none such any more.
func (bs *Boards) spanOf(rest string) *span {
	name, rest, _ := strings.Cut(rest, "\x00")
	window, _, _ := strings.Cut(rest, "\x00")
	b := bs.boards[name]
	if b == nil {
		return nil
	}
	s, err := b.state.Load().span(window)
	if err != nil {
		return nil
	}
	return s
}

// find notes the open periods that hold somebody, has closed ones leave memory that the log's tail has brought in, and drops what
// migrations have left behind.
func (bs *Boards) find(keys []string) error {
	var closed []string
	for _, key := range keys {
		k, ok := ParseKey(key)
		if !ok || bs.boards[k.Board] == nil {
			continue
		}
		st := bs.boards[k.Board].state.Load()
		if st.stale(k) {
			if _, err := bs.own.Delete(key); err != nil {
				bs.log.Error("board: what a migration has left cannot be dropped", "key", key, "err", err)
			}
			continue
		}
		if st.ended(k) {
			closed = append(closed, key)
		}
	}
	return bs.e.Unload(closed...)
}

// ended reports whether a set does not change any more: a baseline, or a period that is closed. One that is not is noted.
func (st *state) ended(k Key) bool {
	if strings.HasPrefix(k.Kind, baseKind) {
		return true
	}
	s, x := st.slotOf(k)
	if x == nil {
		return false
	}
	s.note(x)
	return s.isClosed(x)
}

// slotOf returns the window and the slot of a period's set, and no slot for another set.
func (st *state) slotOf(k Key) (*span, *slot) {
	s, err := st.span(k.Kind)
	if err != nil {
		return nil, nil
	}
	p, err := s.cal.Parse(k.Period)
	if err != nil {
		return s, nil
	}
	return s, s.slot(p)
}

// stale reports whether a set of the board is not one of its as it is now.
func (st *state) stale(k Key) bool {
	if k.Kind == onceKind || strings.HasPrefix(k.Kind, bestKind) {
		return false
	}
	_, err := st.span(strings.TrimPrefix(k.Kind, baseKind))
	return err != nil || k.Version != st.version
}

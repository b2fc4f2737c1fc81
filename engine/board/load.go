package board

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
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
	if err := bs.sweep(); err != nil {
		bs.log.Error("board: what is left of boards, windows and periods cannot be dropped", "err", err)
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
			var r record
			if err := json.Unmarshal(kv.Value, &r); err != nil {
				return fmt.Errorf("board: stored record %q: %w", kv.Key, err)
			}
			s.addClosed(&r)
			if s.surplus() != nil {
				s.due.Store(math.MinInt64)
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
			if _, err := bs.e.Delete(key); err != nil {
				bs.log.Error("board: what a migration has left cannot be dropped", "key", key, "err", err)
			}
			continue
		}
		if !st.noted(k) {
			closed = append(closed, key)
		}
	}
	return bs.e.Unload(closed...)
}

// noted has the period of a ranking closed when its time is up, if it is not closed; false: that, or no ranking.
func (st *state) noted(k Key) bool {
	s, err := st.span(k.Kind)
	if err != nil {
		return false
	}
	p, err := s.cal.Parse(k.Period)
	if err != nil {
		return false
	}
	x := s.slot(p)
	s.note(x)
	return !s.isClosed(x)
}

// stale reports whether a set of the board is not one of its as it is now.
func (st *state) stale(k Key) bool {
	if k.Kind == onceKind || strings.HasPrefix(k.Kind, bestKind) {
		return false
	}
	_, err := st.span(strings.TrimPrefix(k.Kind, baseKind))
	return err != nil || k.Version != st.version
}

// sweep clears away what is left of boards, windows and periods that commits have taken away, all of them or those of one board. O(sets
// + what is left).
func (bs *Boards) sweep(name ...string) error {
	var marks []persist.KV
	err := bs.e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(gonePrefix(name...)) {
			if err != nil {
				return err
			}
			marks = append(marks, kv)
		}
		return nil
	})
	for _, mark := range marks {
		if err == nil {
			parts := strings.Split(strings.TrimPrefix(string(mark.Key), gonePrefix()), "\x00")
			err = bs.clear(parts[0], parts[1], parts[2], string(mark.Value))
		}
		if err == nil {
			err = bs.e.Update(nil, func(tx *engine.Tx) error { return tx.Delete(string(mark.Key)) })
		}
	}
	return err
}

// clear drops what is left of a board, of a window of it, or of a period of that, whose set has a key: an empty name stands for all
// there are.
func (bs *Boards) clear(name, window, period, key string) error {
	switch {
	case period != "":
		if _, err := bs.e.Delete(key); err != nil {
			return err
		}
		return bs.dropPrivate(metaPrefix(name, window, period))
	case window != "":
		return bs.clearAll(name, func(k Key) bool {
			return k.Kind == window || k.Kind == baseKind+window || k.Kind == bestKind+window
		}, metaPrefix(name, window), recordPrefix(name, window))
	}
	return bs.clearAll(name, func(Key) bool { return true }, metaPrefix(name), recordPrefix(name), windowPrefix(name))
}

// clearAll drops a board's sets that are wanted, and the private keys with these prefixes.
func (bs *Boards) clearAll(name string, wanted func(Key) bool, prefixes ...string) error {
	keys, err := bs.e.Keys(Prefix + name + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := ParseKey(key); ok && k.Board == name && wanted(k) {
			if _, err := bs.e.Delete(key); err != nil {
				return err
			}
		}
	}
	for _, prefix := range prefixes {
		if err := bs.dropPrivate(prefix); err != nil {
			return err
		}
	}
	return nil
}

// dropStep is how many private keys are deleted in one transaction.
const dropStep = 1000

// dropPrivate deletes the private keys with a prefix.
func (bs *Boards) dropPrivate(prefix string) error {
	for more := true; more; {
		err := bs.e.Update(nil, func(tx *engine.Tx) error {
			var keys []string
			for kv, err := range tx.Scan(prefix) {
				if err != nil {
					return err
				}
				if keys = append(keys, string(kv.Key)); len(keys) == dropStep {
					break
				}
			}
			more = len(keys) == dropStep
			for _, key := range keys {
				if err := tx.Delete(key); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

package board

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

// load reads the stored boards, and finishes deletions and migrations that a crash interrupted.
func (c *catalog) load() error {
	err := c.engine.View(nil, func(tx *engine.Tx) error {
		if err := c.loadSpecs(tx); err != nil {
			return err
		}
		if err := c.loadWindows(tx); err != nil {
			return err
		}
		return c.loadRecords(tx)
	})
	if err != nil {
		return err
	}
	if err := c.deleter.resumeAll(); err != nil {
		c.log.Error("board: what is left of boards, windows and periods cannot be dropped", "err", err)
	}
	keys, err := c.engine.Keys(Prefix)
	if err != nil {
		return err
	}
	return c.loadSets(keys)
}

func (c *catalog) loadSpecs(tx *engine.Tx) error {
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
		b := newCore(c, st)
		c.boards[spec.Name] = b
		c.list = append(c.list, b) // keys come in order
	}
	return nil
}

// loadWindows reads up to which time each window is closed.
func (c *catalog) loadWindows(tx *engine.Tx) error {
	prefix := windowPrefix()
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return err
		}
		if t := c.timelineOf(string(kv.Key[len(prefix):])); t != nil {
			through, err := decodeThrough(kv.Value)
			if err != nil {
				return fmt.Errorf("board: stored as %q, how far the window is closed: %w", kv.Key, err)
			}
			t.setClosedThrough(through)
		}
	}
	return nil
}

// loadRecords reads the records of closed periods.
func (c *catalog) loadRecords(tx *engine.Tx) error {
	prefix := recordPrefix()
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return err
		}
		if t := c.timelineOf(string(kv.Key[len(prefix):])); t != nil {
			r, err := decodeRecord(kv.Value)
			if err != nil {
				return fmt.Errorf("board: stored record %q: %w", kv.Key, err)
			}
			t.addRecord(r)
			if t.surplus() != nil {
				t.setDueNow()
			}
		}
	}
	return nil
}

// timelineOf returns the window that the rest of a private key begins with, nil if no board has it any more.
func (c *catalog) timelineOf(rest string) *timeline {
	name, rest, _ := strings.Cut(rest, "\x00")
	window, _, _ := strings.Cut(rest, "\x00")
	b := c.boards[name]
	if b == nil {
		return nil
	}
	t, err := b.state().timeline(window)
	if err != nil {
		return nil
	}
	return t
}

// loadSets notes the periods whose sets exist as open. It evicts sets of closed periods, which the log's tail may have loaded, and deletes
// sets of earlier versions.
func (c *catalog) loadSets(keys []string) error {
	var closed []string
	for _, key := range keys {
		k, ok := ParseKey(key)
		if !ok || c.boards[k.Board] == nil {
			continue
		}
		st := c.boards[k.Board].state()
		if st.stale(k) {
			if _, err := c.owner.Delete(key); err != nil {
				c.log.Error("board: what a migration has left cannot be dropped", "key", key, "err", err)
			}
			continue
		}
		if loadSet(st, k) {
			closed = append(closed, key)
		}
	}
	return c.engine.Unload(closed...)
}

// loadSet notes the period of a set as open, and reports whether the set is final: that of a closed period, or a baseline.
func loadSet(st *state, k Key) (final bool) {
	if strings.HasPrefix(k.Kind, baselineKind) {
		return true
	}
	t, x := st.slotOf(k)
	if x == nil {
		return false
	}
	t.noteOpen(x)
	return t.isClosed(x)
}

package catalog

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/zrankdb/zrank/engine/board/internal/deletion"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/internal/owner"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/boardkey"
	"github.com/zrankdb/zrank/engine/board/internal/specs"
	"github.com/zrankdb/zrank/engine/board/internal/state"
)

// Open reads the boards of an engine. Nothing is logged if log is nil. O(boards + closed periods + sets of boards). Errors: ErrOpen,
// those of the engine, and of stored specs that are damaged or of a later version.
func Open(e *engine.Engine, log *slog.Logger) (*Catalog, error) {
	own, err := e.Owner(owner.New())
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Catalog{boards: map[string]*Board{}}
	c.Engine, c.Owner, c.Log, c.Deleter, c.Idle = e, own, log, deletion.New(e, own), newEvictor(e)
	if _, loaded := Opened.LoadOrStore(e, c); loaded {
		return nil, errs.ErrOpen
	}
	if err := c.load(); err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

// load reads the stored boards, and finishes deletions and migrations that a crash interrupted.
func (c *Catalog) load() error {
	err := c.Engine.View(nil, func(tx *engine.Tx) error {
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
	if err := c.Deleter.ResumeAll(); err != nil {
		c.Log.Error("board: data of dropped boards, windows and periods cannot be deleted", "err", err)
	}
	keys, err := c.Engine.Keys(boardkey.Prefix)
	if err != nil {
		return err
	}
	return c.loadSets(keys)
}

func (c *Catalog) loadSpecs(tx *engine.Tx) error {
	for kv, err := range tx.Scan(boardkey.Spec("")) {
		if err != nil {
			return err
		}
		spec, version, err := specs.Decode(kv.Value)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", kv.Key, err)
		}
		st, err := state.New(spec, version)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", kv.Key, err)
		}
		b := newBoard(&c.Env, st)
		c.boards[spec.Name] = b
		c.list = append(c.list, b) // keys come in order
	}
	return nil
}

// loadWindows reads up to which time each window is closed.
func (c *Catalog) loadWindows(tx *engine.Tx) error {
	return loadOf(c, tx, boardkey.WindowPrefix(), "board: stored as %q, how far the window is closed: %w", state.DecodeThrough, (*state.Timeline).SetClosedThrough)
}

// loadRecords reads the records of closed periods.
func (c *Catalog) loadRecords(tx *engine.Tx) error {
	return loadOf(c, tx, boardkey.RecordPrefix(), "board: stored record %q: %w", state.DecodeRecord, func(t *state.Timeline, r *state.Record) {
		t.AddRecord(r)
		if t.Surplus() != nil {
			t.SetDueNow()
		}
	})
}

// loadOf reads what is stored of windows under private keys that begin with a prefix. Windows that no board has any more are left out.
// failed is the text of an error, for a key and what decode says.
func loadOf[T any](c *Catalog, tx *engine.Tx, prefix, failed string, decode func([]byte) (T, error), set func(*state.Timeline, T)) error {
	for kv, err := range tx.Scan(prefix) {
		if err != nil {
			return err
		}
		if t := c.timelineOf(string(kv.Key[len(prefix):])); t != nil {
			v, err := decode(kv.Value)
			if err != nil {
				return fmt.Errorf(failed, kv.Key, err)
			}
			set(t, v)
		}
	}
	return nil
}

// timelineOf returns the window that the rest of a private key begins with, nil if no board has it any more.
func (c *Catalog) timelineOf(rest string) *state.Timeline {
	name, rest, _ := strings.Cut(rest, "\x00")
	window, _, _ := strings.Cut(rest, "\x00")
	b := c.boards[name]
	if b == nil {
		return nil
	}
	t, err := b.State().Timeline(window)
	if err != nil {
		return nil
	}
	return t
}

// loadSets notes the periods that have sets as open. It evicts sets of closed periods, which the engine may have loaded to apply the log. It
// deletes sets of earlier versions.
func (c *Catalog) loadSets(keys []string) error {
	var closed []string
	for _, key := range keys {
		k, ok := boardkey.Parse(key)
		if !ok || c.boards[k.Board] == nil {
			continue
		}
		st := c.boards[k.Board].State()
		if st.Stale(k) {
			if _, err := c.Owner.Delete(key); err != nil {
				c.Log.Error("board: a set that a migration has replaced cannot be deleted", "key", key, "err", err)
			}
			continue
		}
		if loadSet(st, k) {
			closed = append(closed, key)
		}
	}
	return c.Engine.Unload(closed...)
}

// loadSet notes the period of a set as open, and reports whether the set is final: that of a closed period, or a baseline.
func loadSet(st *state.State, k boardkey.Key) (final bool) {
	if strings.HasPrefix(k.Kind, boardkey.BaselineKind) {
		return true
	}
	if t, err := st.Timeline(k.Kind); err == nil && t.RecordOf(k.Period) != nil {
		return true
	}
	t, slot := st.SlotOf(k)
	if slot == nil {
		return false
	}
	t.NoteOpen(slot)
	return t.IsClosed(slot)
}

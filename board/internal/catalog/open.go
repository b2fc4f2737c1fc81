package catalog

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/events"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/owner"
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
	c := &Catalog{boards: map[string]*Board{}, kinds: map[string]*Groups{}, coming: map[string]bool{}}
	c.life, c.end = context.WithCancel(context.Background())
	c.Engine, c.Owner, c.Log, c.Deleter, c.Idle, c.Feeds = e, own, log, NewDeleter(e, own), newEvictor(e), events.NewBlocks(own)
	c.Awards, c.Closed, c.Cohorts = make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	if _, loaded := Opened.LoadOrStore(e, c); loaded {
		return nil, board.ErrOpen
	}
	if err := c.load(context.Background()); err != nil {
		c.Release()
		return nil, err
	}
	return c, nil
}

// load reads the stored boards, and finishes deletions and migrations that a crash interrupted.
func (c *Catalog) load(ctx context.Context) error {
	err := c.Engine.View(ctx, func(tx *engine.Tx) error {
		if err := c.loadSpecs(tx); err != nil {
			return err
		}
		if err := c.loadWindows(tx); err != nil {
			return err
		}
		return c.loadRecords(tx)
	})
	if err == nil {
		err = c.loadLayouts(ctx)
	}
	if err == nil {
		err = c.loadGroups(ctx)
	}
	if err == nil {
		err = c.linkAll()
	}
	if err == nil {
		err = c.loadSince(ctx)
	}
	if err == nil {
		err = c.loadBans(ctx)
	}
	if err != nil {
		return err
	}
	if err := c.Deleter.ResumeAll(ctx); err != nil {
		c.Log.Error("board: data of dropped boards, windows and periods cannot be deleted", "err", err)
	}
	keys, err := c.Owner.List(boardkey.Prefix, c.unsettled)
	if err != nil {
		return err
	}
	if err := c.loadSets(ctx, keys); err != nil {
		return err
	}
	if err := c.loadUnions(ctx); err != nil {
		return err
	}
	return c.loadRelocated(ctx)
}

func (c *Catalog) loadSpecs(tx *engine.Tx) error {
	return EachKey(tx, boardkey.Spec(""), func(name string, value []byte) error {
		spec, version, err := state.DecodeSpec(value)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", boardkey.Spec(name), err)
		}
		st, err := state.New(spec, version)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", boardkey.Spec(name), err)
		}
		b := newBoard(&c.Env, st)
		c.boards[spec.Name] = b
		c.list = append(c.list, b) // keys come in order
		return nil
	})
}

// loadWindows reads up to which time each window is closed.
func (c *Catalog) loadWindows(tx *engine.Tx) error {
	return loadOf(c, tx, boardkey.WindowPrefix(), "board: stored as %q, how far the window is closed: %w", state.DecodeThrough, (*state.Timeline).SetClosedThrough)
}

// loadRecords reads the records of closed periods. Their keys come in order, so those of a window come together.
func (c *Catalog) loadRecords(tx *engine.Tx) error {
	var timeline *state.Timeline
	var records []*state.Record
	add := func() {
		if timeline == nil {
			return
		}
		if timeline.AddRecords(records); timeline.Surplus() != nil {
			timeline.SetDueNow()
		}
		records = nil
	}
	err := loadOf(c, tx, boardkey.RecordPrefix(), "board: stored record %q: %w", state.DecodeRecord, func(t *state.Timeline, r *state.Record) {
		if t != timeline {
			add()
			timeline = t
		}
		records = append(records, r)
	})
	add()
	return err
}

// loadOf reads what is stored of windows under private keys that begin with a prefix. Windows that no board has any more are left out.
// failed is the text of an error, for a key and what decode says. decode must not keep its argument.
func loadOf[T any](c *Catalog, tx *engine.Tx, prefix, failed string, decode func([]byte) (T, error), set func(*state.Timeline, T)) error {
	var t *state.Timeline
	var of []byte // the board and the window of t, as a key begins with them
	for kv, err := range c.Owner.Scan(tx, prefix) {
		if err != nil {
			return err
		}
		if rest := kv.Key[len(prefix):]; len(of) == 0 || !bytes.HasPrefix(rest, of) {
			t, of = c.timelineOf(rest)
		}
		if t == nil {
			continue
		}
		v, err := decode(kv.Value)
		if err != nil {
			return fmt.Errorf(failed, kv.Key, err)
		}
		set(t, v)
	}
	return nil
}

// timelineOf returns the window that the rest of a private key begins with, nil if no board has it any more. of is the part of the key that
// names the window, with the zero byte at its end; it is empty if the key ends without one.
func (c *Catalog) timelineOf(rest []byte) (t *state.Timeline, of []byte) {
	name, after, _ := bytes.Cut(rest, []byte{0})
	window, _, more := bytes.Cut(after, []byte{0})
	if more {
		of = bytes.Clone(rest[:len(name)+1+len(window)+1])
	}
	if b := c.boards[string(name)]; b != nil {
		t, _ = b.State().Timeline(string(window)) // nil if there is an error
	}
	return t, of
}

// loadBans reads which members of all boards are banned and hidden, and which watch. Those of boards that do not exist any more are left out: they are being deleted.
func (c *Catalog) loadBans(ctx context.Context) error {
	return c.Engine.View(ctx, func(tx *engine.Tx) error {
		salt, _, err := tx.Get(boardkey.AuditSalt)
		if err != nil {
			return err
		}
		err = c.eachMember(tx, boardkey.HidePrefix(), func(b *Board, member string) { b.Hides.set(member, hidden) })
		if err != nil {
			return err
		}
		err = c.eachMember(tx, boardkey.WatchPrefix(), func(b *Board, member string) { b.Watches.Set(member, true) })
		if err != nil {
			return err
		}
		err = c.eachMember(tx, boardkey.BanPrefix(), func(b *Board, member string) { b.Bans.set(member, banned) })
		if err != nil {
			return err
		}
		return c.eachMember(tx, boardkey.ErasedBanPrefix(), func(b *Board, hash string) { b.Bans.setHash(hash, salt) })
	})
}

// eachMember calls found with the board and the rest of each private key with a prefix.
func (c *Catalog) eachMember(tx *engine.Tx, prefix string, found func(b *Board, rest string)) error {
	return EachKey(tx, prefix, func(rest string, _ []byte) error {
		name, rest, _ := strings.Cut(rest, "\x00")
		if b := c.boards[name]; b != nil {
			found(b, rest)
		}
		return nil
	})
}

// unsettled reports whether loadSets must look at a set: one of a board, unless it is that of a closed period, or a baseline, and is on the disk
// only.
func (c *Catalog) unsettled(key string, cold bool) bool {
	k, ok := boardkey.Parse(key)
	if !ok || c.boards[k.Board] == nil {
		return false
	}
	st := c.boards[k.Board].State()
	_, _, isBucket := k.Bucket()
	return !cold || st.Stale(k) || isBucket || !isFinal(st, k)
}

// loadSets notes the periods that have sets as open. It evicts sets of closed periods, which the engine may have loaded to apply the log. It
// deletes sets of earlier versions. Each key is that of a set of one of the boards.
func (c *Catalog) loadSets(ctx context.Context, keys []string) error {
	var closed []string
	for _, key := range keys {
		k, _ := boardkey.Parse(key)
		st := c.boards[k.Board].State()
		if st.Stale(k) {
			if _, err := c.Owner.Delete(ctx, key); err != nil {
				c.Log.Error("board: a set that a migration has replaced cannot be deleted", "key", key, "err", err)
			}
			continue
		}
		if number, window, ok := k.Bucket(); ok {
			if t, err := st.Timeline(window); err == nil {
				t.NoteBucket(k.Period, number)
			}
		}
		if isFinal(st, k) || !noteOpen(st, k) {
			closed = append(closed, key)
		}
	}
	return c.Engine.Unload(closed...)
}

// loadUnions evicts the sets of stored unions, which the engine may have loaded to apply the log, and deletes those that no record names: a crash
// has interrupted their storing.
func (c *Catalog) loadUnions(ctx context.Context) error {
	var named []string
	err := ViewKeys(ctx, c.Engine, boardkey.Union(""), func(name string, value []byte) error {
		u, err := state.DecodeUnion(value)
		if err != nil {
			return fmt.Errorf("stored as %q: %w", boardkey.Union(name), err)
		}
		named = append(named, boardkey.UnionSet(name, u.Version))
		return nil
	})
	if err != nil {
		return err
	}
	keys, err := c.Owner.List(boardkey.UnionPrefix, func(key string, _ bool) bool { return !slices.Contains(named, key) })
	if err != nil {
		return err
	}
	if _, err := c.Owner.Delete(ctx, keys...); err != nil {
		c.Log.Error("board: sets of unions that were not stored cannot be deleted", "err", err)
	}
	return c.Engine.Unload(named...)
}

// isFinal reports whether a set is a baseline, has the awards of a period, or is that of a period that has the record of its closing.
func isFinal(st *state.State, k boardkey.Key) bool {
	if strings.HasPrefix(k.Kind, boardkey.BaselineKind) || k.IsAwards() {
		return true
	}
	t, err := st.Timeline(k.WindowOf())
	return err == nil && k.IsOfPeriod() && t.RecordOf(k.Period) != nil
}

// noteOpen notes the period of a set as open, if it is the set of a period, and reports whether the set may still change.
func noteOpen(st *state.State, k boardkey.Key) bool {
	t, slot := st.SlotOf(k)
	if slot == nil {
		return true
	}
	t.NoteOpen(slot)
	return !t.IsClosed(slot)
}

package board

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// Migrate gives a board another spec: every period that it keeps, closed ones too, and every baseline, is ranked anew under the new
// rules, and then the board changes over to it by one commit. Until then readers see the old one, and submissions wait; after a crash
// it is the old one or the new. Rankings that were handed out before return ErrMigrating afterwards.
//
// Columns are matched by name: a new one is 0 in all entries, or the bound nearest to that. Values may go from int64 to float64 and
// back where nothing is lost. An entry that has no time because ties went by member was reached at the beginning of 1970. A window
// that is new is empty; one that is gone takes its periods with it; one whose calendar is another must have another name, but for
// further seasons behind the last, and grace and retention may change. Best ranks and Once keys stay.
//
// O(entries log entries), with a copy of one period at a time in memory. Errors: ErrSpec, also for what cannot be made of an entry,
// which names it, and a *ScoreError in it; ErrNoBoard, ErrClosed, that of ctx, those of the engine. The board is as it was then, but for
// what Engine.Update says of ErrStalled and ErrPersistence: Version tells.
func (bs *Boards) Migrate(ctx context.Context, spec Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if err := bs.outside(); err != nil {
		return nil, err
	}
	spec = spec.withDefaults()
	b, err := bs.Board(spec.Name)
	if err != nil {
		return nil, err
	}
	defer b.freeze()()
	old, err := b.now()
	if err != nil {
		return nil, err
	}
	if spec.Differences(old.spec) == nil {
		return b, nil
	}
	m := &migration{b: b, old: old}
	if m.convert, err = convert(old.spec, spec); err != nil {
		return nil, err
	}
	if m.next, err = newState(spec, old.version+1); err != nil {
		return nil, err
	}
	if err := m.run(ctx); err != nil {
		return nil, err
	}
	return b, nil
}

// migration is what Migrate knows.
type migration struct {
	b         *Board
	old, next *state
	convert   func(rules.Entry) (rules.Entry, error)
	replaced  []string // keys of rankings under the old rules
	made      []string // and under the new
	gone      []*span  // windows that the new spec does not have
	sealed    []sealed // closed periods under the new rules
}

// run clears away what other migrations may have left, ranks everything anew, changes over, and clears away what was before.
func (m *migration) run(ctx context.Context) error {
	err := m.clear()
	if err == nil {
		err = m.copies(ctx)
	}
	changed := false
	if err == nil {
		err = m.storeSeals()
	}
	if err == nil {
		changed, err = m.commit()
	}
	if !changed {
		m.remove(m.made)
		return err
	}
	m.b.state.Store(m.next)
	m.remove(m.replaced)
	for _, s := range m.gone {
		if err := m.b.bs.clear(s.board, s.Window.Name, "", s.keys()...); err != nil {
			m.b.bs.log.Error("board: a window that is gone leaves something behind", "board", s.board, "window", s.Window.Name, "err", err)
		}
	}
	return err
}

// clear drops what migrations have left that did not come to their end, so that none of it comes back.
func (m *migration) clear() error {
	bs := m.b.bs
	if err := bs.sweep(m.old.name); err != nil {
		return err
	}
	return bs.clearAll(m.old.name, m.old.stale)
}

// copies ranks everything anew. A transaction that has found the board as it was has noted its periods, so they are among those
// copied here, and holds their locks until it is over.
func (m *migration) copies(ctx context.Context) error {
	for _, was := range m.old.spans {
		s, _ := m.next.span(was.Window.Name)
		if s == nil {
			m.gone = append(m.gone, was)
		}
		for _, p := range was.periods() {
			gone, err := m.forget(was, p)
			if err == nil && !gone {
				err = m.ranking(ctx, was.key(p.Name), s, p)
			}
			if err != nil {
				return err
			}
		}
		if err := m.baselines(ctx, was.Window.Name, s != nil); err != nil {
			return err
		}
		if s != nil {
			s.inherit(was)
		}
	}
	return nil
}

// forget leaves out a closed period that was to be dropped, if clear has just cleared away what was left of it.
func (m *migration) forget(was *span, p keptPeriod) (gone bool, err error) {
	if !p.closed {
		return false, nil
	}
	n, err := m.b.bs.e.Exists(was.key(p.Name))
	if gone = err == nil && n == 0; gone {
		was.dropped(was.record(p.Name))
	}
	return gone, err
}

// inherit takes over how far a window is closed.
func (s *span) inherit(was *span) {
	s.raise(was.through.Load())
	for _, p := range was.periods() {
		if r := was.record(p.Name); r != nil {
			s.addClosed(new(*r))
		} else if p, err := s.cal.Parse(p.Name); err == nil {
			s.note(s.slot(p))
		}
	}
	if s.surplus() != nil {
		s.dueNow()
	}
}

// ranking ranks one period anew; s is nil if its window is gone.
func (m *migration) ranking(ctx context.Context, key string, s *span, p keptPeriod) error {
	m.replaced = append(m.replaced, key)
	if s == nil {
		return nil
	}
	was, err := m.copy(ctx, key, s.key(p.Name))
	if err != nil || !p.closed {
		return err
	}
	if err := m.seal(s, p.Name, was); err != nil {
		return err
	}
	return m.b.bs.e.Unload(key, s.key(p.Name))
}

// baselines ranks the baselines of a window anew, if it stays.
func (m *migration) baselines(ctx context.Context, window string, stays bool) error {
	names, err := m.b.baselines(m.old, window)
	if err != nil {
		return err
	}
	for _, name := range names {
		key := m.old.baselineKey(window, name)
		m.replaced = append(m.replaced, key)
		if !stays {
			continue
		}
		if _, err := m.copy(ctx, key, m.next.baselineKey(window, name)); err != nil {
			return err
		}
		if err := m.b.bs.e.Unload(key, m.next.baselineKey(window, name)); err != nil {
			return err
		}
	}
	return nil
}

// copy ranks a set anew under another key, and returns the digest of what it was made of.
func (m *migration) copy(ctx context.Context, from, to string) (was uint64, err error) {
	z, _, err := m.b.bs.e.CopyInts(ctx, from, m.old.form)
	if err != nil || z.Len() == 0 {
		return 0, err
	}
	was = m.b.bs.own.Digest(z.View())
	build, err := m.next.form.Builder()
	if err != nil {
		return 0, err
	}
	arrivals := m.arrivals(z)
	var room [rules.MaxTie]byte
	for some := range steps(z) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for _, x := range some {
			was := m.old.rules.Decode(x.Score, x.Tie)
			e, err := m.convert(was)
			if err != nil {
				return 0, fmt.Errorf("%w: %q: member %q: %w", ErrSpec, from, x.Member, err)
			}
			at, _ := slices.BinarySearch(arrivals, was.Arrival)
			e.Arrival = uint64(at)
			score, tie := m.next.rules.Encode(room[:0], e)
			if err := build.AddTied(x.Member, tie, score); err != nil {
				return 0, fmt.Errorf("%q: member %q: %w", from, x.Member, err)
			}
		}
	}
	m.made = append(m.made, to)
	return was, m.b.bs.own.StoreInts(ctx, to, build.Set())
}

// steps walks the entries of a set, some at a time.
func steps(z *zset.IntSet) iter.Seq[[]zset.IntEntry] {
	return func(yield func([]zset.IntEntry) bool) {
		const step = 1024
		var some []zset.IntEntry
		for lo := 0; lo < z.Len(); lo += step {
			if some = z.Append(some[:0], lo, lo+step); !yield(some) {
				return
			}
		}
	}
}

// arrivals returns those of a set's entries in order. The set of the new ranking counts its changes from the number of its entries
// on: in the place of an arrival stands its place in their order, so that those to come are later.
func (m *migration) arrivals(z *zset.IntSet) []uint64 {
	all := make([]uint64, 0, z.Len())
	for some := range steps(z) {
		for _, x := range some {
			all = append(all, m.old.rules.Decode(x.Score, x.Tie).Arrival)
		}
	}
	slices.Sort(all)
	return all
}

// commit changes the board over, and reports whether it is the new one: with an error it may be, see engine.ErrStalled.
func (m *migration) commit() (changed bool, err error) {
	text, err := m.next.spec.encode(m.next.version)
	if err != nil {
		return false, err
	}
	key := specKey(m.next.name)
	err = m.b.bs.own.Update(nil, func(tx *engine.Tx) error {
		for _, s := range m.gone {
			if err := tx.Delete(windowKey(s.board, s.Window.Name)); err != nil {
				return err
			}
			if err := tx.Put(goneKey(s.board, s.Window.Name, ""), nil); err != nil {
				return err
			}
		}
		return tx.Put(key, text)
	})
	if err == nil {
		return true, nil
	}
	have, _ := m.b.bs.stored(key)
	return bytes.Equal(have, text), err
}

// remove deletes sets. What cannot be deleted now is by the next migration, or by Open.
func (m *migration) remove(keys []string) {
	for _, key := range keys {
		if _, err := m.b.bs.own.Delete(key); err != nil {
			m.b.bs.log.Error("board: a ranking of another version stays", "key", key, "err", err)
		}
	}
}

package board

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// Migrate gives a board another spec: every period that it keeps, closed ones too, and every baseline, is ranked anew under the new rules, and
// then the board changes over to it by one commit. Until then readers see the old one, and submissions wait; after a crash it is
// the old one or the new. Rankings that were handed out before show nothing afterwards.
//
// Columns are matched by name: a new one is 0 in all entries, or the bound nearest to that. Values may go from int64 to float64 and
// back where nothing is lost. An entry that has no time because ties went by member was reached at the beginning of 1970. A window
// that is new is empty; one that is gone takes its periods with it; one whose calendar is another must have another name. Best ranks and Once keys stay.
//
// O(entries log entries), with a copy of one period at a time in memory. Errors: ErrSpec, also for what cannot be made of an entry, which names it, and a *ScoreError in it;
// ErrNoBoard, that of ctx, those of the engine. The board is as it was then.
func (bs *Boards) Migrate(ctx context.Context, spec Spec) (*Board, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	spec = spec.withDefaults()
	b, err := bs.Board(spec.Name)
	if err != nil {
		return nil, err
	}
	defer b.freeze()()
	if b.dropped.Load() {
		return nil, fmt.Errorf("%w: %q", ErrNoBoard, spec.Name)
	}
	old := b.state.Load()
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
		return nil, errors.Join(err, m.remove(m.made))
	}
	return b, m.remove(m.replaced)
}

// freeze keeps everybody from changing the board until the function it returns is called.
func (b *Board) freeze() (thaw func()) {
	b.changing.Lock()
	b.closing.Lock()
	b.frozen.Store(true)
	return func() {
		b.frozen.Store(false)
		b.closing.Unlock()
		b.changing.Unlock()
	}
}

// migration is what Migrate knows.
type migration struct {
	b         *Board
	old, next *state
	convert   func(rules.Entry) (rules.Entry, error)
	replaced  []string // keys of rankings under the old rules
	made      []string // and under the new
}

// run ranks everything anew and changes over. A transaction that has passed plan.current before the board was frozen has noted its
// periods, so they are among those copied here, and holds their locks until it is over.
func (m *migration) run(ctx context.Context) error {
	for _, was := range m.old.spans {
		s, _ := m.next.span(was.Window.Name)
		for _, period := range was.periods() {
			if err := m.ranking(ctx, was.key(period), s, period); err != nil {
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
	text, err := m.next.spec.encode(m.next.version)
	if err != nil {
		return err
	}
	err = m.b.bs.e.Update(nil, func(tx *engine.Tx) error { return tx.Put(specKey(m.next.name), text) })
	if err != nil {
		return err
	}
	m.b.state.Store(m.next)
	return m.forget()
}

// periods returns the names of the periods that may hold somebody.
func (s *span) periods() (names []string) {
	for _, x := range s.slots() {
		names = append(names, x.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.closed {
		names = append(names, r.Period)
	}
	return names
}

// inherit takes over how far a window is closed.
func (s *span) inherit(was *span) {
	s.through.Store(was.through.Load())
	s.closed = slices.Clone(was.closed)
	for _, x := range was.slots() {
		s.note(x.Period)
	}
}

// ranking ranks one period anew; s is nil if its window is gone.
func (m *migration) ranking(ctx context.Context, key string, s *span, period string) error {
	m.replaced = append(m.replaced, key)
	if s == nil {
		return nil
	}
	if err := m.copy(ctx, key, s.key(period)); err != nil {
		return err
	}
	if s.isClosedName(period) {
		return m.b.bs.e.Unload(s.key(period))
	}
	return nil
}

func (s *span) isClosedName(period string) bool {
	_, ok := s.record(period)
	return ok
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
		if stays {
			if err := m.copy(ctx, key, m.next.baselineKey(window, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// copy ranks a set anew under another key.
func (m *migration) copy(ctx context.Context, from, to string) error {
	z, _, err := m.b.bs.e.CopyInts(ctx, from, m.old.form)
	if err != nil || z.Len() == 0 {
		return err
	}
	form := m.next.form
	build, err := zset.NewIntBuilder(zset.Options{TieWidth: form.TieWidth, ScoreTie: form.ScoreTie, DenseRanks: form.Dense})
	if err != nil {
		return err
	}
	const step = 1024
	arrivals := m.arrivals(z)
	var some []zset.IntEntry
	var room [rules.MaxTie]byte
	for lo := 0; lo < z.Len(); lo += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		some = z.Append(some[:0], lo, lo+step)
		for _, x := range some {
			was := m.old.rules.Decode(x.Score, x.Tie)
			e, err := m.convert(was)
			if err != nil {
				return fmt.Errorf("%w: %q: member %q: %w", ErrSpec, from, x.Member, err)
			}
			at, _ := slices.BinarySearch(arrivals, was.Arrival)
			e.Arrival = uint64(at)
			score, tie := m.next.rules.Encode(room[:0], e)
			if err := build.AddTied(x.Member, tie, score); err != nil {
				return fmt.Errorf("%q: member %q: %w", from, x.Member, err)
			}
		}
	}
	m.made = append(m.made, to)
	return m.b.bs.e.StoreInts(ctx, to, build.Set())
}

// arrivals returns those of a set's entries in order. The set of the new ranking counts its changes from the number of its entries
// on: in the place of an arrival stands its place in their order, so that those to come are later.
func (m *migration) arrivals(z *zset.IntSet) []uint64 {
	all := make([]uint64, 0, z.Len())
	for _, x := range z.Append(nil, 0, z.Len()) {
		all = append(all, m.old.rules.Decode(x.Score, x.Tie).Arrival)
	}
	slices.Sort(all)
	return all
}

// forget drops what is stored of windows that are gone.
func (m *migration) forget() error {
	for _, was := range m.old.spans {
		if _, err := m.next.span(was.Window.Name); err == nil {
			continue
		}
		if err := m.b.forgetWindow(was); err != nil {
			return err
		}
	}
	return nil
}

// forgetWindow drops what is stored of a window beside its rankings.
func (b *Board) forgetWindow(s *span) error {
	name := s.Window.Name
	for _, prefix := range []string{windowMetaPrefix(s.board, name), recordKey(s.board, name, "")} {
		if err := b.dropPrivate(prefix); err != nil {
			return err
		}
	}
	if err := b.bs.e.Update(nil, func(tx *engine.Tx) error { return tx.Delete(windowKey(s.board, name)) }); err != nil {
		return err
	}
	key := Key{s.board, bestKind + name, noPeriod, 1}.String()
	_, err := b.bs.e.Delete(key)
	return err
}

// remove deletes sets.
func (m *migration) remove(keys []string) error {
	for _, key := range keys {
		if _, err := m.b.bs.e.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// Drop deletes a board, with all its periods, baselines and metadata. After a crash it may be there with some of them gone, and can be
// dropped again. O(sets + metadata). Errors: ErrNoBoard, those of the engine.
func (bs *Boards) Drop(name string) error {
	b, err := bs.Board(name)
	if err != nil {
		return err
	}
	defer b.freeze()()
	if b.dropped.Load() {
		return fmt.Errorf("%w: %q", ErrNoBoard, name)
	}
	st := b.state.Load()
	keys, err := bs.e.Keys(Prefix + name + "/")
	if err != nil {
		return err
	}
	for _, key := range keys {
		if k, ok := ParseKey(key); ok && k.Board == name {
			if _, err := bs.e.Delete(key); err != nil {
				return err
			}
		}
	}
	for _, s := range st.spans {
		if err := b.forgetWindow(s); err != nil {
			return err
		}
	}
	if err := bs.e.Update(nil, func(tx *engine.Tx) error { return tx.Delete(specKey(name)) }); err != nil {
		return err
	}
	b.dropped.Store(true)
	bs.mu.Lock()
	defer bs.mu.Unlock()
	delete(bs.boards, name)
	return nil
}

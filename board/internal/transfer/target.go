package transfer

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// target is a board that comes. It is in memory until Finish: the arrivals of its entries can only then be made those of sets of the engine. A move that is
// cut short leaves nothing.
type target struct {
	c         *catalog.Catalog
	id        string // of the engine's store
	st        *state.State
	release   func() // the name
	rankings  map[relocation.Ranking]*filled
	once      *zset.IntSet
	standings []relocation.Standing
	text      []byte // the stored form of the spec
	intent    bool   // the intent to delete the board is stored
}

// filled is a ranking.
type filled struct {
	set    *zset.IntSet
	hidden *zset.IntSet
	beside map[string]beside
}

// beside is what is stored beside an entry.
type beside struct {
	kept, meta []byte
	rolled     []rolling.Stored // in the order in which they leave; boards with a rolling window do not move
}

func newTarget(c *catalog.Catalog, spec board.Spec, id string) (*target, error) {
	st, err := state.New(spec, 1)
	if err != nil {
		return nil, err
	}
	t := &target{c: c, id: id, st: st, rankings: map[relocation.Ranking]*filled{}}
	if t.text, err = state.EncodeSpec(spec, 1); err != nil {
		return nil, err
	}
	if t.once, err = newSet(engine.Form{}); err != nil {
		return nil, err
	}
	t.release, err = c.Reserve(spec.Name)
	return t, err
}

// newSet returns an empty set of a form.
func newSet(f engine.Form) (*zset.IntSet, error) {
	b, err := f.Builder()
	if err != nil {
		return nil, err
	}
	return b.Set(), nil
}

// ID implements relocation.Target.
func (t *target) ID() string { return t.id }

// of returns a ranking.
func (t *target) of(r relocation.Ranking) (*filled, error) {
	if f := t.rankings[r]; f != nil {
		return f, nil
	}
	set, err := newSet(t.st.Form)
	if err != nil {
		return nil, err
	}
	hidden, err := newSet(t.st.Form)
	if err != nil {
		return nil, err
	}
	t.rankings[r] = &filled{set, hidden, map[string]beside{}}
	return t.rankings[r], nil
}

// Put implements relocation.Target.
func (t *target) Put(_ context.Context, r relocation.Ranking, list []relocation.Difference) error {
	f, err := t.of(r)
	if err != nil {
		return err
	}
	for i := range list {
		if err := f.put(&list[i].Entry, nil); err != nil {
			return err
		}
	}
	return nil
}

// put puts an entry with its results in a rolling window in place of that which the member has.
func (f *filled) put(e *relocation.Entry, rolled []rolling.Stored) error {
	in, other := f.set, f.hidden
	if e.Hidden {
		in, other = other, in
	}
	other.Remove([]byte(e.Member))
	if _, err := in.AddTied([]byte(e.Member), e.Tie, e.Score); err != nil {
		return err
	}
	delete(f.beside, e.Member)
	if len(e.Kept) > 0 || len(e.Meta) > 0 || len(rolled) > 0 {
		f.beside[e.Member] = beside{e.Kept, e.Meta, rolled}
	}
	return nil
}

// Remove implements relocation.Target.
func (t *target) Remove(_ context.Context, r relocation.Ranking, members []string) error {
	f, err := t.of(r)
	if err != nil {
		return err
	}
	for _, member := range members {
		f.set.Remove([]byte(member))
		f.hidden.Remove([]byte(member))
		delete(f.beside, member)
	}
	return nil
}

// Some implements relocation.Target.
func (t *target) Some(_ context.Context, r relocation.Ranking, members []string) (entries []relocation.Entry, err error) {
	f, err := t.of(r)
	if err != nil {
		return nil, err
	}
	for _, member := range members {
		score, tie, ranked := f.set.Get([]byte(member))
		hidden := false
		if !ranked {
			score, tie, hidden = f.hidden.Get([]byte(member))
		}
		if !ranked && !hidden {
			continue
		}
		e := entryOf([]byte(member), tie, score, hidden)
		e.Kept, e.Meta = f.beside[member].kept, f.beside[member].meta
		entries = append(entries, e)
	}
	return entries, nil
}

// Members implements relocation.Target.
func (t *target) Members(_ context.Context, r relocation.Ranking, fn func(members []string) error) error {
	f, err := t.of(r)
	if err != nil {
		return err
	}
	all := f.hidden.Append(f.set.Append(nil, 0, f.set.Len()), 0, f.hidden.Len())
	for lo := 0; lo < len(all); lo += step {
		var members []string
		for _, e := range all[lo:min(lo+step, len(all))] {
			members = append(members, string(e.Member))
		}
		if err := fn(members); err != nil {
			return err
		}
	}
	return nil
}

// Len implements relocation.Target.
func (t *target) Len(_ context.Context, r relocation.Ranking) (int, error) {
	f, err := t.of(r)
	if err != nil {
		return 0, err
	}
	return f.set.Len() + f.hidden.Len(), nil
}

// PutOnce implements relocation.Target. A key that is there keeps the later time.
func (t *target) PutOnce(_ context.Context, keys []relocation.OnceKey) error {
	for _, k := range keys {
		if err := t.putOnce(k); err != nil {
			return err
		}
	}
	return nil
}

func (t *target) putOnce(k relocation.OnceKey) error {
	if at, ok := t.once.Score([]byte(k.Key)); ok && at >= k.At {
		return nil
	}
	_, err := t.once.Add([]byte(k.Key), k.At)
	return err
}

// Close implements relocation.Target.
func (t *target) Close() error {
	t.release()
	return nil
}

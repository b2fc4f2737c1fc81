package transfer

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Finish implements relocation.Target. The sets and private keys are stored beside an intent to delete the board, which Open takes back: a process that ends
// before leaves nothing.
func (t *target) Finish(ctx context.Context, h relocation.Header) error {
	if err := t.c.Deleter.Resume(ctx, t.st.Name); err != nil {
		return err
	}
	t.c.Deleter.SetPending()
	intent := boardkey.Deletion(t.st.Name, "", "")
	if err := t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(intent, nil) }); err != nil {
		return err
	}
	t.intent = true
	for _, w := range h.Windows {
		if err := t.storeWindow(ctx, w); err != nil {
			return err
		}
	}
	if err := t.storeModeration(ctx, h); err != nil {
		return err
	}
	if t.once.Len() == 0 {
		return nil
	}
	return t.c.Owner.StoreInts(ctx, t.st.OnceKey, t.once)
}

// storeWindow stores the rankings of a window, and up to when it is closed.
func (t *target) storeWindow(ctx context.Context, w relocation.Window) error {
	line, err := t.st.Timeline(w.Name)
	if err != nil {
		return err
	}
	if w.Through != math.MinInt64 {
		line.SetClosedThrough(w.Through)
		err = t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
			return tx.Put(boardkey.Window(t.st.Name, w.Name), strconv.AppendInt(nil, w.Through, 10))
		})
	}
	for _, p := range w.Periods {
		if err == nil {
			err = t.storePeriod(ctx, line, p)
		}
	}
	return err
}

// storePeriod stores a ranking.
func (t *target) storePeriod(ctx context.Context, line *state.Timeline, p relocation.Period) error {
	name := line.Window.Name
	f, err := t.of(relocation.Ranking{Window: name, Period: p.Name})
	if err != nil {
		return err
	}
	arrivals := t.arrivals(f)
	set, err := t.renumbered(f.set, arrivals)
	if err != nil {
		return err
	}
	hidden, err := t.renumbered(f.hidden, arrivals)
	if err != nil {
		return err
	}
	f.set, f.hidden = nil, nil
	if p.Record != nil {
		r := *p.Record
		r.Members, r.Hidden, r.Digests = set.Len(), hidden.Len(), []state.Digest{{Version: t.st.Version, Sum: t.c.Owner.Digest(set.View())}}
		if err := t.storeRecord(ctx, line, &r); err != nil {
			return err
		}
	} else {
		line.NoteOpen(line.SlotFor(p.Period))
	}
	if err := t.storeBeside(ctx, name, p.Name, f.beside); err != nil {
		return err
	}
	keys, err := t.storeRanking(ctx, line, p.Name, set)
	if err == nil && !t.st.IsInParts() && line.Roll == nil {
		err = t.raise(ctx, keys[0], set.Len(), len(arrivals))
	}
	if err == nil {
		err = t.c.Owner.StoreInts(ctx, line.HiddenKey(p.Name), hidden)
	}
	if err == nil {
		err = storeRolls(ctx, t.c.Engine, t.c.Owner, t.st, line, f.beside, arrivals)
	}
	if err != nil || p.Record == nil {
		return err
	}
	return t.c.Engine.Unload(append(keys, line.HiddenKey(p.Name))...)
}

// storeRanking stores the entries of a ranking, in its parts, and returns the keys of its sets. On a board with Top all are in the head: see package tail.
func (t *target) storeRanking(ctx context.Context, line *state.Timeline, period string, set *zset.IntSet) (keys []string, err error) {
	p := line.PartsOf(period)
	if p == nil {
		keys = []string{line.Key(period)}
		return keys, t.c.Owner.StoreInts(ctx, keys[0], set)
	}
	if p.Limit > 0 {
		p.Set(ranking.LayoutFor(set.Len(), p.Limit))
		text := []byte(p.Now().String())
		err = t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
			return tx.Put(boardkey.Layout(t.st.Name, line.Window.Name, period, t.st.Version), text)
		})
	}
	keys = slices.Clone(p.Now().Keys)
	builders := make([]*zset.IntBuilder, len(keys))
	for i := range builders {
		if err == nil {
			builders[i], err = t.st.Form.Builder()
		}
	}
	for x := range set.Entries(0, set.Len()) {
		if err == nil {
			err = builders[ranking.PartOf(x.Member, len(keys))].AddTied(x.Member, x.Tie, x.Score)
		}
	}
	for i, key := range keys {
		if err == nil {
			err = t.c.Owner.StoreInts(ctx, key, builders[i].Set())
		}
	}
	return keys, err
}

func (t *target) storeRecord(ctx context.Context, line *state.Timeline, r *state.Record) error {
	text, err := r.Encode()
	if err != nil {
		return err
	}
	line.AddRecord(r)
	return t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error { return tx.Put(boardkey.Record(t.st.Name, line.Window.Name, r.Period), text) })
}

// arrivals returns the arrivals of the entries of a ranking, and of the results in a rolling window, in order, each once.
func (t *target) arrivals(f *filled) (all []uint64) {
	for _, z := range []*zset.IntSet{f.set, f.hidden} {
		for e := range z.Entries(0, z.Len()) {
			all = append(all, t.st.Rules.Decode(e.Score, e.Tie).Arrival)
		}
	}
	for _, x := range f.beside {
		for _, r := range x.rolled {
			if !t.st.Rules.Sums() { // else results have none
				all = append(all, r.Arrival)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// raise makes all later arrivals in a ranking higher than those of a number of entries: later ones are versions of the set, and the version of a new one is its number of entries,
// without hidden ones. It puts an entry and removes it again, in two commits: one that leaves a set as it was leaves the version too.
func (t *target) raise(ctx context.Context, key string, version, to int) error {
	if version == 0 || version >= to {
		return nil
	}
	nobody := []byte(nil) // the name of no member
	change := func(do func(*engine.IntSet) error) error {
		return t.c.Owner.Update(ctx, []string{key}, func(tx *engine.Tx) error {
			set, err := tx.IntSet(key, t.st.Form)
			if err != nil {
				return err
			}
			return do(set)
		})
	}
	err := change(func(set *engine.IntSet) error {
		first := set.Append(nil, 0, 1)[0]
		for range to - version {
			if _, err := set.Remove(nobody); err != nil {
				return err
			}
			if _, err := set.Put(nobody, first.Tie, first.Score); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return change(func(set *engine.IntSet) error {
		_, err := set.Remove(nobody)
		return err
	})
}

// renumbered returns a set with the indexes of arrivals in their place.
func (t *target) renumbered(z *zset.IntSet, arrivals []uint64) (*zset.IntSet, error) {
	b, err := t.st.Form.Builder()
	if err != nil {
		return nil, err
	}
	for x := range z.Entries(0, z.Len()) {
		e := t.st.Rules.Decode(x.Score, x.Tie)
		index, _ := slices.BinarySearch(arrivals, e.Arrival)
		if e.Arrival = uint64(index); t.st.IsInParts() { // arrivals in two parts cannot be compared
			e.Arrival = 0
		}
		score, tie := t.st.Rules.Encode(nil, e)
		if err := b.AddTied(x.Member, tie, score); err != nil {
			return nil, err
		}
	}
	return b.Set(), nil
}

// fewValues is how many private keys one transaction stores: the values of some boards are large.
const fewValues = 40

// storeBeside stores what is beside the entries of a ranking.
func (t *target) storeBeside(ctx context.Context, window, period string, all map[string]beside) error {
	type kv struct {
		key   string
		value []byte
	}
	var list []kv
	for member, x := range all {
		if len(x.meta) > 0 {
			list = append(list, kv{boardkey.Meta(t.st.Name, window, period, member), x.meta})
		}
		if kept := x.kept; len(kept) > 0 {
			if t.st.Rules.K() == 0 {
				kept = append(binary.BigEndian.AppendUint64(nil, uint64(t.st.Version)), kept...)
			}
			list = append(list, kv{boardkey.Kept(t.st.Name, window, period, member), kept})
		}
	}
	for some := range slices.Chunk(list, fewValues) {
		err := t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) (err error) {
			for _, x := range some {
				err = errors.Join(err, tx.Put(x.key, x.value))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Open implements relocation.Target.
func (t *target) Open(ctx context.Context) error {
	stored, err := t.exists(ctx)
	if stored {
		t.c.Install(t.st, t.standings)
	}
	return err
}

// exists stores that the board exists. stored may be true despite an error: see engine.ErrStalled.
func (t *target) exists(ctx context.Context) (stored bool, err error) {
	err = t.c.Owner.Update(ctx, nil, func(tx *engine.Tx) error {
		if err := tx.Delete(boardkey.Deletion(t.st.Name, "", "")); err != nil {
			return err
		}
		return tx.Put(boardkey.Spec(t.st.Name), t.text)
	})
	if err == nil {
		err = t.c.Engine.Barrier(ctx)
	}
	if err != nil && !t.c.HasStored(boardkey.Spec(t.st.Name), t.text) {
		return false, err
	}
	t.intent = false
	return true, err
}

// Discard implements relocation.Target.
func (t *target) Discard(ctx context.Context) error {
	if !t.intent {
		return nil
	}
	return t.c.Deleter.Resume(ctx, t.st.Name)
}

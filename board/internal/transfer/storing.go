package transfer

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/relocation"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
)

// Finish implements relocation.Target. The sets and private keys are stored beside an intent to delete the board, which Open takes back: a process that ends
// before leaves nothing.
func (t *target) Finish(ctx context.Context, h relocation.Header) error {
	if err := t.c.Deleter.Resume(ctx, t.st.Name); err != nil {
		return err
	}
	t.c.Deleter.SetPending()
	intent := boardkey.Deletion(t.st.Name, "", "")
	if err := storeKeys(ctx, t.c.Owner, []stored{{intent, nil}}); err != nil {
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
		through := strconv.AppendInt(nil, w.Through, 10)
		err = storeKeys(ctx, t.c.Owner, []stored{{boardkey.Window(t.st.Name, w.Name), through}})
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
	c := copier{own: t.c.Owner, old: t.st, next: t.st}
	to := targetOf(line, p.Name)
	to.unordered = t.st.IsInParts()
	keys, err := c.store(ctx, f.set, to, arrivals)
	if err == nil && !to.unordered && line.Roll == nil {
		err = t.raise(ctx, keys[0], f.set.Len(), len(arrivals))
	}
	if err == nil {
		_, err = c.store(ctx, f.hidden, to.hiddenOf(line, p.Name), arrivals)
	}
	if err == nil {
		err = t.storeBeside(ctx, name, p.Name, f.beside)
	}
	if err == nil {
		err = storeRolls(ctx, t.c.Engine, t.c.Owner, t.st, line, f.beside, arrivals)
	}
	if err != nil {
		return err
	}
	r := p.Record
	if r == nil {
		line.NoteOpen(line.SlotFor(p.Period))
	} else if err := t.storeRecord(ctx, line, *r, f, keys); err != nil {
		return err
	}
	f.set, f.hidden = nil, nil
	if r == nil {
		return nil
	}
	return t.c.Engine.Unload(append(keys, line.HiddenKey(p.Name))...)
}

// storeRecord stores the record of a closed period, whose ranking is stored under keys.
func (t *target) storeRecord(
	ctx context.Context, line *state.Timeline, r state.Record, f *filled, keys []string,
) error {
	sum, err := digestOf(t.c.Owner, keys)
	if err != nil {
		return err
	}
	r.Members, r.Hidden = f.set.Len(), f.hidden.Len()
	r.Digests = []state.Digest{{Version: t.st.Version, Sum: sum}}
	text, err := r.Encode()
	if err != nil {
		return err
	}
	line.AddRecord(&r)
	return storeKeys(ctx, t.c.Owner, []stored{{boardkey.Record(t.st.Name, line.Window.Name, r.Period), text}})
}

// arrivals returns the arrivals of the entries of a ranking, and of the results in a rolling window, in order, each once.
func (t *target) arrivals(f *filled) (all []uint64) {
	all = arrivalsOf(t.st.Rules, f.set, f.hidden)
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

// storeBeside stores what is beside the entries of a ranking.
func (t *target) storeBeside(ctx context.Context, window, period string, all map[string]beside) error {
	var list []stored
	for member, x := range all {
		if len(x.meta) > 0 {
			list = append(list, stored{boardkey.Meta(t.st.Name, window, period, member), x.meta})
		}
		if kept := x.kept; len(kept) > 0 {
			if t.st.Rules.K() == 0 {
				kept = append(binary.BigEndian.AppendUint64(nil, uint64(t.st.Version)), kept...)
			}
			list = append(list, stored{boardkey.Kept(t.st.Name, window, period, member), kept})
		}
	}
	return storeKeys(ctx, t.c.Owner, list)
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

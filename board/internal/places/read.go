package places

import (
	"bytes"
	"context"
	"iter"
	"runtime"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Found is a place of a member with the period that has it.
type Found struct {
	Place
	T      *state.Timeline
	Record *state.Record
}

// Now returns the present place, from 0, of a member that is not hidden.
func (f *Found) Now() int { return f.Record.Place(f.Place.Place) }

// Rank returns the present ordinal rank, from 1, of a member that is not hidden.
func (f *Found) Rank(version int) int { return f.RankAt(version, f.Now()) }

// RankAt returns the rank, from 1, that the entry has or would have at a place from 0.
func (f *Found) RankAt(version, place int) int {
	return place + 1 + f.Record.VacantBefore(version, f.Score, f.Tie)
}

// InTx returns the places of a member in the indexed periods of a board: windows as in the spec, periods in order of time. O(places log places).
func InTx(own engine.Owner, tx *engine.Tx, st *state.State, member string) (all []Found, err error) {
	for f, err := range scan(own, tx, st, member) {
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	inOrder(st, all)
	return all, nil
}

// HasAny reports whether a member has a place in an indexed period of a board.
func HasAny(own engine.Owner, tx *engine.Tx, st *state.State, member string) (bool, error) {
	for _, err := range scan(own, tx, st, member) {
		return err == nil, err
	}
	return false, nil
}

// scan iterates over the places of a member in the indexed periods of a board, in the order of their keys.
func scan(own engine.Owner, tx *engine.Tx, st *state.State, member string) iter.Seq2[Found, error] {
	prefix := boardkey.PlacePrefix(st.Name, boardkey.MemberID(member))
	return func(yield func(Found, error) bool) {
		n := 0
		for kv, err := range own.Scan(tx, prefix) {
			if err != nil {
				yield(Found{}, err)
				return
			}
			window, period, _ := strings.Cut(string(kv.Key[len(prefix):]), "\x00")
			t, err := st.Timeline(window)
			if err != nil {
				continue
			}
			r := t.RecordOf(period)
			if r == nil || !r.Indexed {
				continue
			}
			if n++; n%64 == 0 {
				runtime.Gosched() // see package moderation
			}
			f := Found{Place: Place{Window: window, Period: period}, T: t, Record: r}
			if err := f.decode(kv.Key, bytes.Clone(kv.Value)); !yield(f, err) || err != nil {
				return
			}
		}
	}
}

// inOrder sorts places: windows as in the spec, periods in order of time.
func inOrder(st *state.State, all []Found) {
	order := map[*state.Timeline]int{}
	for i, t := range st.Timelines {
		order[t] = i
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		if a.T != b.T {
			return order[a.T] - order[b.T]
		}
		return a.Record.Start.Compare(b.Record.Start)
	})
}

// Of returns the places of a member in all closed periods of a board: those of the index, and of periods that are not indexed yet those that their
// rankings have. O(places log places), and O(1) for each period that is not indexed, which is read from the disk for that.
func Of(ctx context.Context, b *catalog.Board, st *state.State, member string) (all []Found, err error) {
	var direct []Found
	for _, t := range st.Timelines {
		for _, r := range t.ClosedRecords() {
			if r.Indexed {
				continue
			}
			p, ok, err := lookUp(ctx, b, st, t, r, member)
			if err != nil {
				return nil, err
			}
			if ok {
				direct = append(direct, Found{p, t, r})
			}
		}
	}
	err = b.Engine().View(ctx, func(tx *engine.Tx) error {
		all, err = InTx(b.Owner(), tx, st, member)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(direct) > 0 {
		all = slices.DeleteFunc(all, func(f Found) bool {
			return slices.ContainsFunc(direct, func(d Found) bool { return d.Window == f.Window && d.Period == f.Period })
		})
		all = append(all, direct...)
		inOrder(st, all)
	}
	return all, b.CheckReadable(st)
}

// lookUp finds the place of a member in the ranking of a closed period, or beside it.
func lookUp(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, r *state.Record, member string) (p Place, ok bool, err error) {
	p.Window, p.Period = t.Window.Name, r.Period
	err = look(ctx, b, st, t.RankingKeys(r.Period), func(v *zset.IntView) {
		var tie []byte
		p.Place, p.Score, tie, ok = v.RankGet([]byte(member))
		p.Tie = bytes.Clone(tie)
	})
	if err == nil && !ok && r.Hidden > 0 {
		err = read(ctx, b, st, t.HiddenKey(r.Period), func(v *zset.IntView) {
			var tie []byte
			p.Score, tie, ok = v.Get([]byte(member))
			p.Place, p.Tie, p.Hidden = -1, bytes.Clone(tie), true
		})
	}
	b.Env().Idle.NoteRead(b.Engine().Now(), t.SetKeys(r.Period)...)
	return p, ok, err
}

// WouldBe returns the place, from 0, that the entry of a hidden member would have in the ranking. O(1) if the index has it, else O(log members).
func (f *Found) WouldBe(ctx context.Context, b *catalog.Board, st *state.State, member string) (place int, err error) {
	if f.Place.Place >= 0 {
		return f.Now(), nil
	}
	text := append(bytes.Clone(f.Tie), member...)
	err = look(ctx, b, st, f.T.RankingKeys(f.Period), func(v *zset.IntView) { place = v.Seek(f.Score, text) })
	b.Env().Idle.NoteRead(b.Engine().Now(), f.T.SetKeys(f.Period)...)
	return place, err
}

// look calls fn with a set that has the entries of these sets.
func look(ctx context.Context, b *catalog.Board, st *state.State, keys []string, fn func(*zset.IntView)) error {
	if len(keys) == 1 {
		return read(ctx, b, st, keys[0], fn)
	}
	all, err := catalog.CopySets(context.Background(), b.Owner(), keys, st.Form)
	if err == nil {
		fn(all.View())
	}
	return err
}

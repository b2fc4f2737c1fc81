package periods

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/zset"
)

// SaveBaseline stores a copy of the ranking of a window's live period: see Board.SaveBaseline.
func SaveBaseline(ctx context.Context, b *catalog.Board, window, name string) error {
	st, t, release, err := holdForBaseline(b, window, name)
	if err != nil {
		return err
	}
	defer release()
	now := b.Engine().Now()
	slot, err := t.SlotAt(now)
	if err != nil {
		return err
	}
	z, err := copyOf(ctx, b, st, t, slot)
	if t.IsClosed(slot) { // by hand, or during the copy: the evictor evicts the set again
		b.Env().Idle.NoteRead(now, t.SetKeys(slot.Name)...)
	}
	if err != nil {
		return err
	}
	key := st.BaselineKey(window, name)
	if err := b.Owner().StoreInts(ctx, key, z); err != nil {
		return err
	}
	return b.Engine().Unload(key)
}

// copyOf returns a copy of the ranking of an open period as it is at one moment.
func copyOf(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (z *zset.IntSet, err error) {
	if rolling.IsRolling(t) {
		return copyRolling(ctx, b, st, t, slot.Key)
	}
	z, err = Copy(ctx, b, st, t, slot)
	if err == nil && t.Top != nil {
		z.RemoveRange(t.Top.N, z.Len())
	}
	return z, err
}

// Copy returns a copy of all entries of a period, which is not rolling, as they are at one moment. O(n log n).
func Copy(ctx context.Context, b *catalog.Board, st *state.State, t *state.Timeline, slot *state.Slot) (z *zset.IntSet, err error) {
	err = t.Read(slot.Name, func(keys []string) (err error) {
		z, err = catalog.CopySets(ctx, b.Owner(), keys, st.Form)
		return err
	})
	return z, err
}

// Baseline returns the ranking of a baseline: see Board.Baseline.
func Baseline(b *catalog.Board, window, name string) (board.Ranking, error) {
	if err := ValidateBaseline(name); err != nil {
		return nil, err
	}
	st, _, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	return ofBaseline(b, st, window, name), nil
}

// Baselines returns the names of a window's baselines: see Board.Baselines.
func Baselines(b *catalog.Board, window string) ([]string, error) {
	st, _, err := b.Timeline(window)
	if err != nil {
		return nil, err
	}
	return BaselineNames(b, st, window)
}

// BaselineNames returns the names of a window's baselines that have members, in order. O(sets of the engine).
func BaselineNames(b *catalog.Board, st *state.State, window string) (names []string, err error) {
	keys, err := b.Engine().Keys(boardkey.Prefix + st.Name + "/" + boardkey.BaselineKind + window + "/")
	for _, key := range keys {
		if k, ok := boardkey.Parse(key); ok && k.Board == st.Name && k.Kind == boardkey.BaselineKind+window && k.Version == st.Version {
			names = append(names, k.Period)
		}
	}
	slices.Sort(names)
	return names, err
}

// DropBaseline deletes a baseline: see Board.DropBaseline.
func DropBaseline(ctx context.Context, b *catalog.Board, window, name string) error {
	st, _, release, err := holdForBaseline(b, window, name)
	if err != nil {
		return err
	}
	defer release()
	_, err = b.Owner().Delete(ctx, st.BaselineKey(window, name))
	return err
}

// holdForBaseline holds the state of a board for a call that changes a baseline. release lets it go; with an error it is nil.
func holdForBaseline(b *catalog.Board, window, name string) (st *state.State, t *state.Timeline, release func(), err error) {
	if err := ValidateBaseline(name); err != nil {
		return nil, nil, nil, err
	}
	if err := b.Env().CheckNotInTx(); err != nil {
		return nil, nil, nil, err
	}
	release = b.HoldState()
	if st, t, err = b.Timeline(window); err != nil {
		release()
		return nil, nil, nil, err
	}
	return st, t, release, nil
}

// ValidateBaseline checks the name of a baseline. Error: ErrBaseline.
func ValidateBaseline(name string) error {
	if name == "" || len(name) > board.MaxBaseline || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || unicode.IsControl(r) }) {
		return fmt.Errorf("%w: %q", board.ErrBaseline, name)
	}
	return nil
}

package board

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// MaxBaseline is the length of the longest name of a baseline, in bytes.
const MaxBaseline = 64

// SaveBaseline keeps a copy of the ranking of a window's live period, as it is at one moment, under a name, in the place of what had
// the name before: for arrows that say what has become of everybody since. Writers wait for a page of it at a time. It stays until
// it is saved anew or dropped, and takes what the ranking takes. O(n log n). Errors: ErrNoWindow, ErrBaseline, an *OutsideError if no
// period is live, ErrClosed, ErrNoBoard, that of ctx, those of the engine.
func (b *Board) SaveBaseline(ctx context.Context, window, name string) error {
	if err := validBaseline(name); err != nil {
		return err
	}
	if err := b.bs.outside(); err != nil {
		return err
	}
	b.changing.RLock() // no migration now
	defer b.changing.RUnlock()
	st, s, err := b.window(window)
	if err != nil {
		return err
	}
	now := b.bs.e.Now()
	x, err := s.at(now)
	if err != nil {
		return err
	}
	z, _, err := b.bs.e.CopyInts(ctx, x.key, st.form)
	if s.isClosed(x) { // by hand, or meanwhile: it leaves memory again
		b.bs.ticker.note(x.key, now)
	}
	if err != nil {
		return err
	}
	key := st.baselineKey(window, name)
	if err := b.bs.own.StoreInts(ctx, key, z); err != nil {
		return err
	}
	return b.bs.e.Unload(key)
}

// Baseline returns a baseline of a window. It is empty if nobody was ranked when it was saved. O(1). Errors: ErrNoWindow, ErrBaseline.
func (b *Board) Baseline(window, name string) (Ranking, error) {
	if err := validBaseline(name); err != nil {
		return nil, err
	}
	st, _, err := b.window(window)
	if err != nil {
		return nil, err
	}
	return b.baseline(st, window, name), nil
}

// Baselines returns the names of a window's baselines that hold somebody, in order. O(sets of the engine). Errors: ErrNoWindow, those of the engine.
func (b *Board) Baselines(window string) ([]string, error) {
	st, _, err := b.window(window)
	if err != nil {
		return nil, err
	}
	return b.baselines(st, window)
}

func (b *Board) baselines(st *state, window string) (names []string, err error) {
	keys, err := b.bs.e.Keys(Prefix + st.name + "/" + baseKind + window + "/")
	for _, key := range keys {
		if k, ok := ParseKey(key); ok && k.Board == st.name && k.Kind == baseKind+window && k.Version == st.version {
			names = append(names, k.Period)
		}
	}
	slices.Sort(names)
	return names, err
}

// DropBaseline drops a baseline, if there is one. Errors: ErrNoWindow, ErrBaseline, ErrClosed, ErrNoBoard, those of the engine.
func (b *Board) DropBaseline(window, name string) error {
	if err := validBaseline(name); err != nil {
		return err
	}
	if err := b.bs.outside(); err != nil {
		return err
	}
	b.changing.RLock()
	defer b.changing.RUnlock()
	st, _, err := b.window(window)
	if err != nil {
		return err
	}
	_, err = b.bs.own.Delete(st.baselineKey(window, name))
	return err
}

// baselineKey returns the key of a baseline.
func (st *state) baselineKey(window, name string) string {
	return Key{st.name, baseKind + window, name, st.version}.String()
}

func validBaseline(name string) error {
	if name == "" || len(name) > MaxBaseline || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || unicode.IsControl(r) }) {
		return fmt.Errorf("%w: %q", ErrBaseline, name)
	}
	return nil
}

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

// saveBaseline stores a copy of the ranking of a window's live period: see Board.SaveBaseline.
func saveBaseline(ctx context.Context, b *core, window, name string) error {
	if err := validateBaseline(name); err != nil {
		return err
	}
	if err := b.in().checkOutside(); err != nil {
		return err
	}
	defer b.holdState()()
	st, t, err := b.timeline(window)
	if err != nil {
		return err
	}
	now := b.engine().Now()
	x, err := t.slotAt(now)
	if err != nil {
		return err
	}
	z, _, err := b.engine().CopyInts(ctx, x.key, st.form)
	if t.isClosed(x) { // by hand, or during the copy: it leaves memory again
		b.in().idle.noteRead(x.key, now)
	}
	if err != nil {
		return err
	}
	key := st.baselineKey(window, name)
	if err := b.owner().StoreInts(ctx, key, z); err != nil {
		return err
	}
	return b.engine().Unload(key)
}

// baseline returns the ranking of a baseline: see Board.Baseline.
func baseline(b *core, window, name string) (Ranking, error) {
	if err := validateBaseline(name); err != nil {
		return nil, err
	}
	st, _, err := b.timeline(window)
	if err != nil {
		return nil, err
	}
	return ofBaseline(b, st, window, name), nil
}

// baselines returns the names of a window's baselines: see Board.Baselines.
func baselines(b *core, window string) ([]string, error) {
	st, _, err := b.timeline(window)
	if err != nil {
		return nil, err
	}
	return baselineNames(b, st, window)
}

// baselineNames returns the names of a window's baselines that have members, in order. O(sets of the engine).
func baselineNames(b *core, st *state, window string) (names []string, err error) {
	keys, err := b.engine().Keys(Prefix + st.name + "/" + baselineKind + window + "/")
	for _, key := range keys {
		if k, ok := ParseKey(key); ok && k.Board == st.name && k.Kind == baselineKind+window && k.Version == st.version {
			names = append(names, k.Period)
		}
	}
	slices.Sort(names)
	return names, err
}

// dropBaseline deletes a baseline: see Board.DropBaseline.
func dropBaseline(b *core, window, name string) error {
	if err := validateBaseline(name); err != nil {
		return err
	}
	if err := b.in().checkOutside(); err != nil {
		return err
	}
	defer b.holdState()()
	st, _, err := b.timeline(window)
	if err != nil {
		return err
	}
	_, err = b.owner().Delete(st.baselineKey(window, name))
	return err
}

func validateBaseline(name string) error {
	if name == "" || len(name) > MaxBaseline || strings.ContainsFunc(name, func(r rune) bool { return r == '/' || unicode.IsControl(r) }) {
		return fmt.Errorf("%w: %q", ErrBaseline, name)
	}
	return nil
}

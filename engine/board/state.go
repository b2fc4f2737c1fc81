package board

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// state is a board under one spec. Its fields do not change; a migration makes another state. Its timelines do change.
type state struct {
	name      string
	spec      Spec // defaults filled in
	version   int
	rules     *rules.Rules
	form      engine.Form
	timelines []*timeline // parallel to spec.Windows
	onceKey   string      // the key of Once keys, which does not change with the version
}

// newState compiles a valid spec.
func newState(spec Spec, version int) (*state, error) {
	r, err := rulesOf(spec)
	if err != nil {
		return nil, err
	}
	st := &state{name: spec.Name, spec: spec, version: version, rules: r, form: formOf(r)}
	st.onceKey = Key{spec.Name, onceKind, noPeriod, 1}.String()
	for _, w := range spec.Windows {
		t, err := newTimeline(spec.Name, w, version)
		if err != nil {
			return nil, err
		}
		st.timelines = append(st.timelines, t)
	}
	return st, nil
}

// formOf returns the form of the sets that hold entries of such rules.
func formOf(r *rules.Rules) engine.Form {
	return engine.Form{TieWidth: r.TieWidth(), ScoreTie: r.ScoreTie(), Dense: true}
}

// timeline returns a window by its name. Error: ErrNoWindow.
func (st *state) timeline(name string) (*timeline, error) {
	for _, t := range st.timelines {
		if t.Window.Name == name {
			return t, nil
		}
	}
	names := make([]string, len(st.timelines))
	for i, t := range st.timelines {
		names[i] = t.Window.Name
	}
	return nil, fmt.Errorf("%w: %q has %s, not %q", ErrNoWindow, st.name, strings.Join(names, ", "), name)
}

// look returns a look at a set of the board, with ordinal ranks and without metadata.
func (st *state) look(s *engine.IntSet) *look { return newLook(s.IntView, st.rules) }

// info describes a period.
func (st *state) info(t *timeline, p Period) Info {
	i := Info{Board: st.name, Window: t.Window.Name, Period: p.Name, Start: p.Start, End: p.End}
	if r := t.recordOf(p.Name); r != nil {
		i.Start, i.End, i.Closed, i.ClosedAt = r.Start, r.End, true, r.ClosedAt
	} else {
		i.Closed = t.isClosed(t.slotOf(p))
	}
	return i
}

// baselineKey returns the key of a baseline.
func (st *state) baselineKey(window, name string) string {
	return Key{st.name, baselineKind + window, name, st.version}.String()
}

// keys returns the keys of the sets that submissions may be about to make.
func (st *state) keys() []string {
	keys := []string{st.onceKey}
	for _, t := range st.timelines {
		keys = append(keys, t.keys()...)
	}
	return keys
}

// slotOf returns the window and the slot that a key names. The slot is nil if the key is not one of a period, and both are nil if the
// board does not have the window.
func (st *state) slotOf(k Key) (*timeline, *slot) {
	t, err := st.timeline(k.Kind)
	if err != nil {
		return nil, nil
	}
	p, err := t.cal.Parse(k.Period)
	if err != nil {
		return t, nil
	}
	return t, t.slotOf(p)
}

// stale reports whether a set of the board is of an earlier version, or of a window that the board does not have.
func (st *state) stale(k Key) bool {
	if k.Kind == onceKind || strings.HasPrefix(k.Kind, bestKind) {
		return false
	}
	_, err := st.timeline(strings.TrimPrefix(k.Kind, baselineKind))
	return err != nil || k.Version != st.version
}

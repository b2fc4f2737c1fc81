package board

import (
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// state is what a board is under one spec. It does not change, but for what its spans note; a migration makes another.
type state struct {
	name    string
	spec    Spec // defaults filled in
	version int
	rules   *rules.Rules
	form    engine.Form
	spans   []*span // parallel to spec.Windows
	once    string  // the key of Once keys, which does not change with the version
}

// newState compiles a valid spec.
func newState(spec Spec, version int) (*state, error) {
	r, err := spec.rules()
	if err != nil {
		return nil, err
	}
	st := &state{name: spec.Name, spec: spec, version: version, rules: r}
	st.form = formOf(r)
	st.once = Key{spec.Name, onceKind, noPeriod, 1}.String()
	for _, w := range spec.Windows {
		s, err := newSpan(spec.Name, w, version)
		if err != nil {
			return nil, err
		}
		st.spans = append(st.spans, s)
	}
	return st, nil
}

// span returns a window by its name. Error: ErrNoWindow.
func (st *state) span(name string) (*span, error) {
	for _, s := range st.spans {
		if s.Window.Name == name {
			return s, nil
		}
	}
	names := make([]string, len(st.spans))
	for i, s := range st.spans {
		names[i] = s.Window.Name
	}
	return nil, fmt.Errorf("%w: %q has %s, not %q", ErrNoWindow, st.name, strings.Join(names, ", "), name)
}

// look returns what a ranking of the board shows, in ordinal ranks and without metadata.
func (st *state) look(s *engine.IntSet) *look { return &look{v: s.IntView, rules: st.rules} }

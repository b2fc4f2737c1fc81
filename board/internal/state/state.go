package state

import (
	"fmt"
	"math"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// State is a board under one spec. Its fields do not change; a migration makes another state. Its timelines do change.
type State struct {
	Name      string
	Spec      board.Spec // defaults filled in
	Version   int
	Rules     *rules.Rules
	Form      engine.Form
	Timelines []*Timeline // parallel to spec.Windows
	ranks     int         // the most members that a ranking has
	OnceKey   string      // the key of the set of Once keys, which does not change with the version

	JournalKey string // the key of the set of the journal, which does not change with the version either
}

// New compiles a valid spec.
func New(spec board.Spec, version int) (*State, error) {
	r, err := spec.Rules()
	if err != nil {
		return nil, err
	}
	st := &State{Name: spec.Name, Spec: spec, Version: version, Rules: r, Form: FormOf(r), ranks: math.MaxInt}
	if spec.Top != nil {
		st.ranks = spec.Top.N
	}
	st.OnceKey = boardkey.Key{Board: spec.Name, Kind: boardkey.OnceKind, Period: boardkey.NoPeriod, Version: 1}.String()
	st.JournalKey = boardkey.Key{Board: spec.Name, Kind: boardkey.JournalKind, Period: boardkey.NoPeriod, Version: 1}.String()
	for _, w := range spec.Windows {
		t, err := newTimeline(spec, w, version)
		if err != nil {
			return nil, err
		}
		t.Top, t.HasCohorts = spec.Top, spec.Leagues != nil && spec.Leagues.Window == w.Name
		st.Timelines = append(st.Timelines, t)
	}
	return st, nil
}

// FormOf returns the form of the sets that hold entries of such rules.
func FormOf(r *rules.Rules) engine.Form {
	return engine.Form{TieWidth: r.TieWidth(), ScoreTie: r.ScoreTie(), Dense: true}
}

// Timeline returns a window by its name. Error: ErrNoWindow.
func (st *State) Timeline(name string) (*Timeline, error) {
	for _, t := range st.Timelines {
		if t.Window.Name == name {
			return t, nil
		}
	}
	names := make([]string, len(st.Timelines))
	for i, t := range st.Timelines {
		names[i] = t.Window.Name
	}
	return nil, fmt.Errorf("%w: %q has %s, not %q", board.ErrNoWindow, st.Name, strings.Join(names, ", "), name)
}

// Look returns a Look at a set of the board, with ordinal ranks and without metadata.
func (st *State) Look(s *engine.IntSet) *ranking.Look {
	return ranking.NewLook(s.IntView, st.ranks, st.Rules)
}

// Vacancies returns the vacancies in the ranks of a period, nil while it is open.
func (st *State) Vacancies(t *Timeline, slot *Slot) ranking.Vacancies {
	if !t.IsClosed(slot) {
		return nil
	}
	return st.ClosedVacancies(t, slot.Name)
}

// ClosedVacancies returns the vacancies in the ranks of a closed period.
func (st *State) ClosedVacancies(t *Timeline, period string) ranking.Vacancies {
	if r := t.RecordOf(period); r != nil {
		return r.Vacancies[st.Version]
	}
	return nil
}

// Info describes a period.
func (st *State) Info(t *Timeline, p window.Period) board.Info {
	info := board.Info{Board: st.Name, Window: t.Window.Name, Period: p.Name, Start: p.Start, End: p.End}
	if r := t.RecordOf(p.Name); r != nil {
		info.Start, info.End, info.Closed, info.ClosedAt = r.Start, r.End, true, r.ClosedAt
	} else {
		info.Closed = t.IsClosed(t.SlotOf(p))
	}
	return info
}

// HasJournal reports whether the board keeps a journal of its submissions.
func (st *State) HasJournal() bool { return st.Spec.Journal > 0 }

// IsInParts reports whether rankings may have several parts.
func (st *State) IsInParts() bool { return st.Spec.Parts > 0 || st.Spec.PartMembers > 0 }

// Rolling returns the timelines of the rolling windows that have results of their own.
func (st *State) Rolling() (rolling []*Timeline) {
	for _, t := range st.Timelines {
		if t.Roll != nil {
			rolling = append(rolling, t)
		}
	}
	return rolling
}

// BaselineKey returns the key of a baseline.
func (st *State) BaselineKey(window, name string) string {
	return boardkey.Key{Board: st.Name, Kind: boardkey.BaselineKind + window, Period: name, Version: st.Version}.String()
}

// Keys returns the keys of the sets that submissions may be about to make.
func (st *State) Keys() []string {
	keys := []string{st.OnceKey, st.JournalKey}
	for _, t := range st.Timelines {
		keys = append(keys, t.Keys()...)
	}
	return keys
}

// SlotOf returns the window and the slot that a key names, which may be that of any set of the period. The slot is nil if the key is not one
// of a period, and both are nil if it is not one of a window, or the board does not have the window.
func (st *State) SlotOf(k boardkey.Key) (*Timeline, *Slot) {
	t, err := st.Timeline(k.WindowOf())
	if err != nil {
		return nil, nil
	}
	if !k.IsOfPeriod() {
		return t, nil
	}
	p, err := t.Cal.Parse(k.Period)
	if err != nil {
		return t, nil
	}
	return t, t.SlotOf(p)
}

// Stale reports whether a set of the board is of an earlier version, or of a window that the board does not have.
func (st *State) Stale(k boardkey.Key) bool {
	if k.Kind == boardkey.OnceKind || strings.HasPrefix(k.Kind, boardkey.BestKind) || k.IsTiers() {
		return false
	}
	if k.Kind == boardkey.JournalKind {
		return !st.HasJournal()
	}
	t, err := st.Timeline(k.WindowOf())
	if k.IsCohort() {
		return err != nil || !t.HasCohorts
	}
	return err != nil || k.Version != st.Version && !k.IsAwards()
}

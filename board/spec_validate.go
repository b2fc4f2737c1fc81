package board

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Validate returns one error that wraps ErrSpec and names every impossible value, or nil. O(length).
func (s Spec) Validate() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w %.64q: "+format, append([]any{ErrSpec, s.Name}, args...)...))
	}
	s.validateName(bad)
	if _, err := s.Rules(); err != nil {
		for _, err := range joined(err) {
			bad("%w", err)
		}
	}
	for i, w := range s.Windows {
		if err := w.Validate(); err != nil {
			for _, err := range joined(err) {
				bad("%w", err)
			}
		}
		if slices.ContainsFunc(s.Windows[:i], func(other window.Window) bool { return other.Label() == w.Label() }) {
			bad("window %q is there twice", w.Label())
		}
	}
	s.validateRolling(bad)
	s.validateTop(bad)
	s.validateParts(bad)
	s.validateAwards(bad)
	s.validateJournal(bad)
	s.validateFeed(bad)
	s.validateLeagues(bad)
	s.validateDerived(bad)
	if s.MaxMeta < 0 || s.MaxMeta > MaxMeta {
		bad("maxMeta is %d, want 0 to %d", s.MaxMeta, MaxMeta)
	}
	if s.OnceFor != 0 && s.OnceFor < window.Duration(time.Second) {
		bad("onceFor is %v, want at least 1s", s.OnceFor)
	}
	return errors.Join(problems...)
}

// validateRolling checks that the rules are possible in a rolling window, if there is one. The
// rules of groups are: they follow the scores of their members.
func (s Spec) validateRolling(bad func(format string, args ...any)) {
	i := slices.IndexFunc(s.Windows, func(w window.Window) bool { return w.Kind == window.Rolling })
	r, err := s.Rules()
	if i < 0 || err != nil {
		return
	}
	if d := s.Derived.withDefaults(); d != nil {
		if d.Points != Follow {
			bad("derived.points is %s, want %s with a rolling window: %q: nobody knows of a result that leaves whether it has counted",
				d.Points, Follow, s.Windows[i].Label())
		}
		return
	}
	if err := r.CanRoll(); err != nil {
		for _, err := range joined(err) {
			bad("window %q: %w", s.Windows[i].Label(), err)
		}
	}
}

// validateTop checks Top, and that the rest of the spec is possible with it.
func (s Spec) validateTop(bad func(format string, args ...any)) {
	if s.Top == nil {
		return
	}
	if s.Top.N < 1 || s.Top.N > MaxTop {
		bad("top.n is %d, want 1 to %d", s.Top.N, MaxTop)
	}
	if s.Top.Reserve < 0 || s.Top.Reserve > MaxTop {
		bad("top.reserve is %d, want 0 to %d", s.Top.Reserve, MaxTop)
	}
	if s.Top.Segments < 0 || s.Top.Segments > MaxSegments {
		bad("top.segments is %d, want 0 to %d", s.Top.Segments, MaxSegments)
	}
	if i := slices.IndexFunc(s.Windows, func(w window.Window) bool { return w.Kind == window.Rolling }); i >= 0 {
		bad("top: window %q is rolling, and a rolling window ranks all members", s.Windows[i].Label())
	}
	if s.Parts > 1 {
		bad("top: parts is %d, and a board of the best members has its own sets", s.Parts)
	}
}

// validateParts checks Parts and PartMembers, and that the rest of the spec is possible with them.
func (s Spec) validateParts(bad func(format string, args ...any)) {
	if s.Parts < 0 || s.Parts > MaxParts {
		bad("parts is %d, want 0 to %d", s.Parts, MaxParts)
	}
	if s.PartMembers < 0 || s.PartMembers > MaxPartMembers {
		bad("partMembers is %d, want 0 to %d", s.PartMembers, MaxPartMembers)
	}
	field, want := fmt.Sprint("parts is ", s.Parts), 1
	switch {
	case s.PartMembers > 0 && s.Parts > 1:
		bad("partMembers is %d, want 0 with parts, which fixes their number", s.PartMembers)
	case s.PartMembers > 0:
		field, want = fmt.Sprint("partMembers is ", s.PartMembers), 0
	case s.Parts <= 1:
		return
	}
	if s.Top != nil {
		bad("%s, want %d with top, whose best members are one set", field, want)
	}
	if s.K != 0 {
		bad("%s, want %d with op %s, whose commits come one after the other", field, want, s.Op)
	}
	for _, w := range s.Windows {
		if w.Kind == window.Rolling {
			bad("%s, want %d with a rolling window: %q", field, want, w.Label())
		}
	}
}

// validateJournal checks Journal.
func (s Spec) validateJournal(bad func(format string, args ...any)) {
	if s.Journal < 0 || s.Journal > MaxJournal {
		bad("journal is %d, want 0 to %d", s.Journal, MaxJournal)
	}
}

// validateDerived checks Derived, and that the rest of the spec is possible with it.
func (s Spec) validateDerived(bad func(format string, args ...any)) {
	if s.Derived == nil {
		return
	}
	s.Derived.withDefaults().validate(s.Name, bad)
	if s.Journal > 0 || s.BestRanks || s.Leagues != nil {
		bad("derived: journal, bestRanks and leagues are not possible with it: nobody submits to it")
	}
}

// validateFeed checks Feed, and that the rest of the spec is possible with it.
func (s Spec) validateFeed(bad func(format string, args ...any)) {
	if s.Feed == nil {
		return
	}
	if s.Feed.Top < -1 || s.Feed.Top > MaxFeedTop {
		bad("feed.top is %d, want -1 to %d", s.Feed.Top, MaxFeedTop)
	}
	if s.Parts > 1 || s.PartMembers > 0 {
		bad("feed: the board is in parts, whose ranks are counted after the commit, and events are written in it")
	}
}

// validateLeagues checks Leagues, and that the rest of the spec is possible with them.
func (s Spec) validateLeagues(report func(format string, args ...any)) {
	l := s.Leagues
	if l == nil {
		return
	}
	bad := func(format string, args ...any) { report("leagues: "+format, args...) }
	l.validate(bad)
	i := slices.IndexFunc(s.Windows, func(w window.Window) bool { return w.Label() == l.Window })
	switch {
	case i < 0:
		bad("the board has no window %q", l.Window)
	case s.Windows[i].Kind == window.All || s.Windows[i].Kind == window.Rolling:
		bad("the periods of window %q never close", l.Window)
	}
	if s.Derived != nil {
		bad("the board is derived, and members are put into cohorts by their submissions")
	}
}

// validateAwards checks Awards, and that the rest of the spec is possible with them.
func (s Spec) validateAwards(bad func(format string, args ...any)) {
	r, err := s.Rules()
	if err != nil { // it is reported already
		return
	}
	windows := s.Windows
	if len(windows) == 0 && s.Derived != nil { // Complete gives it some
		return
	}
	if len(windows) == 0 {
		windows = []window.Window{{Kind: window.All}}
	}
	for i := range s.Awards {
		p := &s.Awards[i]
		if err := p.Validate(); err != nil {
			for _, err := range joined(err) {
				bad("%w", err)
			}
			continue
		}
		if slices.ContainsFunc(s.Awards[:i], func(other awards.Plan) bool { return other.Window == p.Window }) {
			bad("%w for window %q: the window has two plans", awards.ErrPlan, p.Window)
		}
		validatePlan(p, windows, r, func(format string, args ...any) {
			bad("%w for window %q: "+format, append([]any{awards.ErrPlan, p.Window}, args...)...)
		})
	}
}

func (s Spec) validateName(bad func(format string, args ...any)) {
	if s.Name == "" || len(s.Name) > MaxName {
		bad("name has %d bytes, want 1 to %d", len(s.Name), MaxName)
	}
	if !utf8.ValidString(s.Name) || strings.ContainsFunc(s.Name, unicode.IsControl) { // JSON would store another name
		bad("name is not UTF-8 without control characters")
	}
	if s.Name != "" && slices.Contains(strings.Split(s.Name, "/"), "") {
		bad("name has an empty part before, between or after slashes")
	}
}

// joined returns the errors that errors.Join joined, or err alone.
func joined(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	return []error{err}
}

// validatePlan checks that a board with such windows and rules has the window and the scores of a plan.
func validatePlan(p *awards.Plan, windows []window.Window, r *rules.Rules, bad func(format string, args ...any)) {
	i := slices.IndexFunc(windows, func(w window.Window) bool { return w.Label() == p.Window })
	if i < 0 {
		bad("the board has no such window")
	} else if kind := windows[i].Kind; kind == window.All || kind == window.Rolling {
		bad("its periods never close")
	}
	var above *rules.Score
	for i := range p.Tiers {
		t := &p.Tiers[i]
		if t.Score == nil {
			continue
		}
		score, err := r.CheckRanked(*t.Score)
		if err != nil {
			bad("tier %q: %w", t.Name, err)
			continue
		}
		if !p.Stack && above != nil && r.Compare(*above, score) >= 0 {
			bad("tier %q has score %v, behind one that has it too: nobody would get it", t.Name, score)
		}
		above = &score
	}
}

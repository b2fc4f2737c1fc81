package specs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zrankdb/zrank/engine/board/awards"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/parts"
	"github.com/zrankdb/zrank/engine/board/rules"
	"github.com/zrankdb/zrank/engine/board/window"
)

const (
	// MaxName is the length of the longest name of a board, in bytes.
	MaxName = 1 << 10
	// MaxParts is the most that Spec.Parts may be.
	MaxParts = parts.Max
	// MaxPartMembers is the most that Spec.PartMembers may be.
	MaxPartMembers = 1 << 30
	// MaxJournal is the most that Spec.Journal may be.
	MaxJournal = 10_000_000
	// MaxMeta is the most that Spec.MaxMeta may be, in bytes.
	MaxMeta = 64 << 10
	// defaultOnceFor is what Spec.OnceFor means if it is zero.
	defaultOnceFor = window.Duration(24 * time.Hour)
)

// Spec says what a board's scores mean and how it is cut in time. It is stored with the board, and only Migrate changes it. Fields
// that are zero stand for their defaults. Its JSON is that of spec files: see ReadSpec.
type Spec struct {
	// Name is 1 to MaxName bytes of UTF-8 without control characters. A '/' divides it into parts, none of them empty:
	// "shop/flowers/stars" may be service, business and subject.
	Name string `json:"name"`
	// Columns are the numbers of a score, 1 to rules.MaxColumns, of which the first decides. None means one of int64, higher is better.
	Columns []rules.Column `json:"columns,omitempty"`
	// Op says how a submission is combined with the member's present score: Best unless set.
	Op rules.Op `json:"op,omitempty"`
	// K is the number of results that BestOf adds up, LastOf adds up, or DropWorst leaves out: 1 to rules.MaxK. 0 with other operators.
	K int `json:"k,omitempty"`
	// Ties says who stands first among equals: FirstToReach unless set.
	Ties rules.Ties `json:"ties,omitempty"`
	// Windows are how the board is cut in time, of different names. None means All.
	Windows []window.Window `json:"windows,omitempty"`
	// Top limits the ranking to the best members. Everybody's score is kept. nil: all members are ranked.
	Top *Top `json:"top,omitempty"`
	// MaxMeta is the length of the longest metadata of an entry, in bytes, at most 64 KiB. 0: entries have none.
	MaxMeta int `json:"maxMeta,omitempty"`
	// BestRanks says that each member's best rank ever is kept, for every window.
	BestRanks bool `json:"bestRanks,omitempty"`
	// Parts is the number of sets that hold the ranking of each period, at most MaxParts, so that goroutines write them in parallel. 0 and 1 are
	// one set.
	Parts int `json:"parts,omitempty"`
	// PartMembers makes the number of sets that hold the ranking of a period follow the number of its members: one for each so many, at most
	// MaxParts. 0: their number is Parts.
	PartMembers int `json:"partMembers,omitempty"`
	// OnceFor is how long a Once key is remembered, at least one second. 0 means 24 hours; window.Forever, for ever.
	OnceFor window.Duration `json:"onceFor,omitempty"`
	// Journal is the number of the last submissions that the board keeps a journal of, at most MaxJournal: see Board.Journal. 0: it keeps none.
	Journal int `json:"journal,omitempty"`
	// Feed makes the board write what happens on it into its commits, for Boards.Feed. nil: it writes nothing.
	Feed *Feed `json:"feed,omitempty"`
	// Awards are what the periods of windows award when they close: a plan for each window that awards anything.
	Awards []awards.Plan `json:"awards,omitempty"`
	// Leagues puts the members of each period of a window into cohorts, whose best are promoted and whose last are relegated. nil: there are none.
	Leagues *Leagues `json:"leagues,omitempty"`
	// Derived makes it a board of groups, whose scores follow those of their members on another board. Its columns are those of that board and the
	// number of members; its windows are those of that board, or some of them. nil: members submit.
	Derived *Derived `json:"derived,omitempty"`
}

// Validate returns one error that wraps ErrSpec and names every impossible value, or nil. O(length).
func (s Spec) Validate() error {
	var problems []error
	bad := func(format string, args ...any) {
		problems = append(problems, fmt.Errorf("%w %.64q: "+format, append([]any{errs.ErrSpec, s.Name}, args...)...))
	}
	s.validateName(bad)
	if _, err := Rules(s); err != nil {
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

// validateRolling checks that the rules are possible in a rolling window, if there is one.
func (s Spec) validateRolling(bad func(format string, args ...any)) {
	i := slices.IndexFunc(s.Windows, func(w window.Window) bool { return w.Kind == window.Rolling })
	r, err := Rules(s)
	if i < 0 || err != nil {
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
	if s.BestRanks {
		bad("top: bestRanks is set, and members beyond the best have no rank")
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

// validateJournal checks Journal, and that the rest of the spec is possible with it.
func (s Spec) validateJournal(bad func(format string, args ...any)) {
	if s.Journal < 0 || s.Journal > MaxJournal {
		bad("journal is %d, want 0 to %d", s.Journal, MaxJournal)
	}
	if s.Journal <= 0 {
		return
	}
	if i := slices.IndexFunc(s.Windows, func(w window.Window) bool { return w.Kind == window.Rolling }); i >= 0 {
		bad("journal: window %q is rolling, and results leave a rolling window by themselves", s.Windows[i].Label())
	}
	if s.Parts > 1 || s.PartMembers > 0 {
		bad("journal: the board is in parts, for submissions at once, and those with a journal come one after the other")
	}
}

// validateDerived checks Derived, and that the rest of the spec is possible with it.
func (s Spec) validateDerived(bad func(format string, args ...any)) {
	if s.Derived == nil {
		return
	}
	s.Derived.withDefaults().validate(s.Name, bad)
	if s.Top != nil || s.Parts > 1 || s.PartMembers > 0 || s.Journal > 0 || s.BestRanks || s.Leagues != nil {
		bad("derived: top, parts, partMembers, journal, bestRanks and leagues are not possible with it")
	}
}

// PlanOf returns the plan of a window, nil if its periods award nothing.
func (s *Spec) PlanOf(window string) *awards.Plan {
	i := slices.IndexFunc(s.Awards, func(p awards.Plan) bool { return p.Window == window })
	if i < 0 {
		return nil
	}
	return &s.Awards[i]
}

// WithPlans returns the spec with other plans of awards.
func (s Spec) WithPlans(plans []awards.Plan) Spec {
	s.Awards = plans
	return s
}

// WithJournal returns the spec with a journal of another size.
func (s Spec) WithJournal(size int) Spec {
	s.Journal = size
	return s
}

// WithFeed returns the spec with another Feed.
func (s Spec) WithFeed(f *Feed) Spec {
	s.Feed = f.withTop()
	return s
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

// WithLeagues returns the spec with other leagues.
func (s Spec) WithLeagues(l *Leagues) Spec {
	s.Leagues = l
	return s
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
	case s.Windows[i].Grace != 0:
		bad("window %q has a grace: the next period begins before its cohorts are settled", l.Window)
	}
	if s.Parts > 1 || s.PartMembers > 0 {
		bad("the board is in parts, and cohorts are filled one after the other")
	}
	if s.Derived != nil {
		bad("the board is derived, and members are put into cohorts by their submissions")
	}
	if s.Top != nil {
		bad("top is set, and every member of a cohort has a place")
	}
}

// validateAwards checks Awards, and that the rest of the spec is possible with them.
func (s Spec) validateAwards(bad func(format string, args ...any)) {
	r, err := Rules(s)
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

// Rules returns the rules of a spec's scores. Errors: those of rules.NewKeeping.
func Rules(s Spec) (*rules.Rules, error) {
	r, err := rules.NewKeeping(s.Columns, s.Op, s.K, s.Ties)
	if err == nil && s.Top != nil {
		r = r.TimeOnly()
	}
	return r, err
}

// WithDefaults returns a deep copy of a valid spec with its defaults filled in.
func WithDefaults(s Spec) Spec {
	if r, err := Rules(s); err == nil {
		s.Columns, s.Op, s.Ties = r.Columns(), r.Op(), r.Ties()
	}
	if len(s.Windows) == 0 {
		s.Windows = []window.Window{{Kind: window.All}}
	}
	s.Windows = slices.Clone(s.Windows)
	for i := range s.Windows {
		w := &s.Windows[i]
		w.Name, w.Seasons = w.Label(), slices.Clone(w.Seasons)
	}
	s.Top, s.Feed, s.Leagues, s.Derived = s.Top.withReserve(), s.Feed.withTop(), s.Leagues.clone(), s.Derived.withDefaults()
	s.Awards = slices.Clone(s.Awards)
	for i := range s.Awards {
		s.Awards[i].Tiers = slices.Clone(s.Awards[i].Tiers)
	}
	if s.Parts == 1 {
		s.Parts = 0
	}
	s.OnceFor = cmp.Or(s.OnceFor, defaultOnceFor)
	return s
}

package board

import (
	"cmp"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
)

// Spec says what a board's scores mean and how it is cut in time. It is stored with the board, and only Migrate changes it. Fields
// that are zero stand for their defaults. Its JSON is that of spec files: see ReadSpec.
//
// Validate reports every impossible value; Differences compares two specs.
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
	// MaxParts. A set has up to twice as many. 0: their number is Parts.
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

// WithLeagues returns the spec with other leagues.
func (s Spec) WithLeagues(l *Leagues) Spec {
	s.Leagues = l
	return s
}

// Rules returns the rules of the spec's scores. Errors: those of rules.NewKeeping.
func (s Spec) Rules() (*rules.Rules, error) {
	r, err := rules.NewKeeping(s.Columns, s.Op, s.K, s.Ties)
	if err == nil && s.Top != nil {
		r = r.TimeOnly()
	}
	return r, err
}

// WithDefaults returns a deep copy of a valid spec with its defaults filled in.
func (s Spec) WithDefaults() Spec {
	if r, err := s.Rules(); err == nil {
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

const (
	// MaxName is the length of the longest name of a board, in bytes.
	MaxName = 1 << 10
	// MaxParts is the most that Spec.Parts may be.
	MaxParts = 64
	// MaxPartMembers is the most that Spec.PartMembers may be.
	MaxPartMembers = 1 << 30
	// MaxJournal is the most that Spec.Journal may be.
	MaxJournal = 10_000_000
	// MaxMeta is the most that Spec.MaxMeta may be, in bytes.
	MaxMeta = 64 << 10
	// defaultOnceFor is what Spec.OnceFor means if it is zero.
	defaultOnceFor = window.Duration(24 * time.Hour)
)

const (
	// MaxK is the most that Spec.K may be.
	MaxK = rules.MaxK
)

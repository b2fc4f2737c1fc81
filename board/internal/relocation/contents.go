package relocation

import (
	"bytes"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/window"
)

// Entry is all that is stored of a member in a period.
type Entry struct {
	Member string
	Score  int64
	Tie    []byte
	Kept   []byte // results that the operator keeps, or times of those that count
	Meta   []byte // empty: none
	Hidden bool   // the member is hidden: the entry is beside the ranking
}

// Equal reports whether two entries are the same.
func (e *Entry) Equal(o *Entry) bool {
	return e.Member == o.Member && e.Score == o.Score && bytes.Equal(e.Tie, o.Tie) && bytes.Equal(e.Kept, o.Kept) && bytes.Equal(e.Meta, o.Meta) && e.Hidden == o.Hidden
}

// Difference is an entry that the target has otherwise, or not.
type Difference struct {
	Entry
	Stored *Entry // what the target has; nil: nothing
}

// IsBeside reports whether two entries differ only in what is stored beside them.
func (x Difference) IsBeside() bool {
	return x.Stored != nil && x.Stored.Score == x.Score && bytes.Equal(x.Stored.Tie, x.Tie) && x.Stored.Hidden == x.Hidden
}

// Ranking names a ranking of a board.
type Ranking struct{ Window, Period string }

// Period is a period with members.
type Period struct {
	window.Period
	Record *state.Record // nil: it is open
}

// NewPeriod returns a period with what a target needs to know of its record; nil: it is open.
func NewPeriod(p window.Period, r *state.Record) Period {
	if r == nil {
		return Period{Period: p}
	}
	return Period{p, &state.Record{
		Period: r.Period, Start: r.Start, End: r.End, ClosedAt: r.ClosedAt, Members: r.Members, Hidden: r.Hidden,
	}}
}

// Window is what is known of a window beside its entries.
type Window struct {
	Name    string
	Through int64 // up to when it is closed, in microseconds after 1970; math.MinInt64: nothing is
	Periods []Period
}

// Standing is what operators have said of a member.
type Standing struct {
	Member         string
	Banned, Hidden bool
}

// Logged is an entry of the audit log with its places.
type Logged struct {
	audit.Entry
	List []board.Place
}

// Header is what is known of a board beside its entries and Once keys.
type Header struct {
	Windows   []Window
	Standings []Standing
	Audit     []Logged // in the order of the numbers
}

// EachRanking calls fn with each ranking.
func (h Header) EachRanking(fn func(r Ranking) error) error {
	for _, w := range h.Windows {
		for _, p := range w.Periods {
			if err := fn(Ranking{w.Name, p.Name}); err != nil {
				return err
			}
		}
	}
	return nil
}

// OnceKey is a Once key with the time of its use, in milliseconds after 1970.
type OnceKey struct {
	Key string
	At  int64
}

// Changes is what has changed: the members by ranking, rankings that were dropped or replaced, and Once keys.
type Changes struct {
	Members map[Ranking]map[string]struct{}
	Whole   map[Ranking]bool
	Once    []OnceKey
}

// AddWhole notes that a ranking was dropped or replaced.
func (c *Changes) AddWhole(r Ranking) {
	if c.Whole == nil {
		c.Whole = map[Ranking]bool{}
	}
	c.Whole[r] = true
}

// Add notes that a member has changed.
func (c *Changes) Add(r Ranking, member string) {
	if c.Members == nil {
		c.Members = map[Ranking]map[string]struct{}{}
	}
	if c.Members[r] == nil {
		c.Members[r] = map[string]struct{}{}
	}
	c.Members[r][member] = struct{}{}
}

// Merge adds other changes.
func (c *Changes) Merge(o Changes) {
	for r, members := range o.Members {
		for member := range members {
			c.Add(r, member)
		}
	}
	for r := range o.Whole {
		c.AddWhole(r)
	}
	c.Once = append(c.Once, o.Once...)
}

// Has reports whether a member has changed.
func (c *Changes) Has(r Ranking, member string) bool {
	_, ok := c.Members[r][member]
	return ok || c.Whole[r]
}

// Len returns the number of changes.
func (c *Changes) Len() (n int) {
	for _, members := range c.Members {
		n += len(members)
	}
	return n + len(c.Whole) + len(c.Once)
}

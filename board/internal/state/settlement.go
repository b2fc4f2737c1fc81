package state

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/internal/boardkey"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// Settlement is the awards of a closed period: which plan they follow, and whether the winners are known.
type Settlement struct {
	Window, Period string
	Key            string // of the set of awards
	current        atomic.Pointer[Settling]

	// Working is held while awards are settled or delivered.
	Working sync.Mutex
	Next    int64            // the place, from 0, before which no award waits that has not failed. Guarded by Working
	Dropped bool             // it is not there any more. Guarded by Working
	Waiting atomic.Int64     // the number of awards that wait to be delivered or claimed, once settled
	Retries map[string]Retry // by member, of awards that have failed: SetRetry and DropRetry change it. Guarded by Working
	retries sync.Mutex       // is also held by who changes Retries, so that Counts and NextRetry do not wait for work
}

// Retry is when an award that has failed is tried again.
type Retry struct {
	Failures int
	At       int64 // in microseconds after 1970
}

// Settling is a stored state of a settlement. It does not change.
type Settling struct {
	Settled  bool // the set of awards is that of Plan and Without; else it is to be made
	Revision int  // 1, and one more with each Resettle
	Plan     awards.Plan
	Table    []awards.Tier // the tiers of this plan and of earlier ones: awards name them by their index
	Width    int           // of a set of tiers in an award, in bytes
	Without  []string      // members that get nothing, in order
	Reason   string        // of the last Resettle
	Awards   int           // the number of awards, once settled
	End      time.Time     // of the period
	ClosedAt time.Time     // when the period was closed
}

// NewSettlement returns the settlement of a period that is being closed.
func NewSettlement(board, window, period string, s *Settling) *Settlement {
	t := &Settlement{Window: window, Period: period}
	t.Key = boardkey.Key{Board: board, Kind: boardkey.AwardsKind + window, Period: period, Version: 1}.String()
	t.Set(s)
	return t
}

// Now returns the present state.
func (s *Settlement) Now() *Settling { return s.current.Load() }

// Set replaces the state.
func (s *Settlement) Set(next *Settling) { s.current.Store(next) }

// SetRetry stores when the award of a member that has failed is tried again. The caller holds Working.
func (s *Settlement) SetRetry(member string, r Retry) {
	s.retries.Lock()
	defer s.retries.Unlock()
	if s.Retries == nil {
		s.Retries = map[string]Retry{}
	}
	s.Retries[member] = r
}

// DropRetry forgets that the award of a member has failed. The caller holds Working.
func (s *Settlement) DropRetry(member string) {
	s.retries.Lock()
	defer s.retries.Unlock()
	delete(s.Retries, member)
}

// NextRetry returns the first time, not before from, at which an award that has failed is tried again; both are microseconds after 1970. math.MaxInt64: none
// is. O(awards that have failed).
func (s *Settlement) NextRetry(from int64) int64 {
	s.retries.Lock()
	defer s.retries.Unlock()
	next := int64(math.MaxInt64)
	for _, r := range s.Retries {
		if r.At >= from {
			next = min(next, r.At)
		}
	}
	return next
}

// Counts returns how many awards wait at a time, how many of them have failed, and how many could be claimed until their time was up. O(1).
func (s *Settlement) Counts(now time.Time) (waiting, failed, expired int) {
	n := int(s.Waiting.Load())
	if at, ok := s.Now().Expires(); ok && !now.Before(at) {
		return 0, 0, n
	}
	s.retries.Lock()
	defer s.retries.Unlock()
	return n, len(s.Retries), 0
}

// NewSettling returns the first state of a settlement. With the width that it chooses, the tie of an award is 8, 16 or 24 bytes long, and there is room for the
// tiers of other plans.
func NewSettling(p awards.Plan, end, closedAt time.Time) *Settling {
	s := &Settling{Revision: 1, Plan: p, Table: slices.Clip(p.Tiers), Width: 9, End: end, ClosedAt: closedAt}
	switch n := len(p.Tiers); {
	case n <= 4:
		s.Width = 1
	case n <= 32:
		s.Width = 5
	}
	return s
}

// mostTiers returns how many tiers the table can have.
func (s *Settling) mostTiers() int { return min(8*s.Width, awards.MaxTiers) }

// AwardHead is the number of bytes of an award's tie before its two sets of tiers.
const AwardHead = 6

// Form returns the form of the set of awards.
func (s *Settling) Form() engine.Form { return engine.Form{TieWidth: AwardHead + 2*s.Width} }

// Share lets the state use the tiers of another one, if they are the same: many periods have one plan.
func (s *Settling) Share(other *Settling) {
	if reflect.DeepEqual(s.Table, other.Table) {
		s.Table = other.Table
	}
	if reflect.DeepEqual(s.Plan, other.Plan) {
		s.Plan = other.Plan
	}
}

// Index returns the index in the table of a tier of the plan, -1 if it is not there.
func (s *Settling) Index(t awards.Tier) int {
	return slices.IndexFunc(s.Table, func(other awards.Tier) bool { return other.Name == t.Name && other.Payload == t.Payload })
}

// Expires returns when claims end; false if they do not.
func (s *Settling) Expires() (at time.Time, ok bool) {
	d := time.Duration(s.Plan.Expires)
	return s.ClosedAt.Add(d), s.Plan.Claim && d > 0 && s.Plan.Expires != window.Forever
}

// storedSettling is the stored form of a Settling, as JSON; see storedRecord.
type storedSettling struct {
	Format   int           `json:"format"`
	Settled  bool          `json:"settled,omitempty"`
	Revision int           `json:"revision"`
	Plan     awards.Plan   `json:"plan"`
	Table    []awards.Tier `json:"table"`
	Width    int           `json:"width"`
	Without  []string      `json:"without,omitempty"` // escaped as in a URL: JSON cannot hold names that are not UTF-8
	Reason   string        `json:"reason,omitempty"`
	Awards   int           `json:"awards,omitempty"`
	End      int64         `json:"end"`
	ClosedAt int64         `json:"closedAt"`
}

const settlingFormat = 1

// Encode returns the stored form.
func (s *Settling) Encode() ([]byte, error) {
	var without []string
	for _, member := range s.Without {
		without = append(without, url.PathEscape(member))
	}
	return json.Marshal(storedSettling{settlingFormat, s.Settled, s.Revision, s.Plan, s.Table, s.Width, without, s.Reason, s.Awards, s.End.UnixMicro(),
		s.ClosedAt.UnixMicro()})
}

// DecodeSettling is the inverse of Encode.
func DecodeSettling(text []byte) (*Settling, error) {
	var s storedSettling
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	if s.Format != settlingFormat {
		return nil, fmt.Errorf("format %d, and this version knows %d", s.Format, settlingFormat)
	}
	var without []string
	for _, text := range s.Without {
		member, err := url.PathUnescape(text)
		if err != nil {
			return nil, err
		}
		without = append(without, member)
	}
	x := &Settling{s.Settled, s.Revision, s.Plan, s.Table, s.Width, without, s.Reason, s.Awards, time.UnixMicro(s.End).UTC(),
		time.UnixMicro(s.ClosedAt).UTC()}
	if err := x.Plan.Validate(); err != nil {
		return nil, err
	}
	if x.Revision < 1 || x.Width < 1 || x.Form().TieWidth > 24 || x.Form().TieWidth%8 != 0 || len(x.Table) > x.mostTiers() ||
		slices.ContainsFunc(x.Plan.Tiers, func(t awards.Tier) bool { return x.Index(t) < 0 }) {
		return nil, fmt.Errorf("revision %d, %d tiers in sets of %d bytes", x.Revision, len(x.Table), x.Width)
	}
	return x, nil
}

// Next returns the state of the next revision, not settled yet: with another plan unless it is nil, and without some members. Error: awards.ErrPlan.
func (s *Settling) Next(p *awards.Plan, without []string, reason string) (*Settling, error) {
	next := *s
	if p != nil {
		if err := p.Validate(); err != nil {
			return nil, err
		}
		if p.Window != s.Plan.Window || p.Stack != s.Plan.Stack || p.Claim != s.Plan.Claim {
			return nil, fmt.Errorf("%w: window, stack and claim stay as they are", awards.ErrPlan)
		}
		next.Plan, next.Table = *p, slices.Clone(s.Table)
		for _, t := range p.Tiers {
			if next.Index(t) < 0 {
				next.Table = append(next.Table, t)
			}
		}
	}
	next.Without = slices.Compact(slices.Sorted(slices.Values(without)))
	next.Revision++
	next.Settled, next.Reason, next.Awards = false, reason, 0
	if len(next.Table) > s.mostTiers() || next.Revision > math.MaxUint8 {
		return nil, fmt.Errorf("%w: it has been settled again too often, or with too many other tiers", awards.ErrPlan)
	}
	return &next, nil
}

// Holds reports whether the period must not be dropped.
func (s *Settlement) Holds() bool {
	now := s.Now()
	return !now.Plan.DropUndelivered && !(now.Settled && (now.Plan.Claim || s.Waiting.Load() == 0))
}

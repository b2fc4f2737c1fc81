package board

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine"
)

const (
	// MaxMember is the length of the longest member, in bytes.
	MaxMember = 1 << 10
	// MaxOnce is the length of the longest Once key, in bytes.
	MaxOnce = 256
	// MaxOvertaken is the largest number of members passed that a submission may ask for.
	MaxOvertaken = 1000
)

// Submission is one result of a member.
type Submission struct {
	Member string // 1 to MaxMember bytes
	// Score is the result; in columns that add up, what is added.
	Score Score
	// At is when it happened, to the microsecond: it decides the period, and ties. Zero means now, by the engine's clock.
	At time.Time
	// Once names the submission, so that another one with the same name does nothing: for retries. "" is no name.
	Once string
	// Meta is metadata, at most Spec.MaxMeta bytes, that is shown with the entry wherever the submission changes it. nil leaves what
	// the entry has; an empty slice takes it away.
	Meta []byte
	// If says when the submission counts.
	If Condition
	// Near asks for that many rows before the member's own and after it, as Ranking.Around, in each window of the Change.
	Near int
	// Overtaken asks for the rows of that many of the members passed, in each window of the Change: 0 to MaxOvertaken.
	Overtaken int
}

// Condition says when a submission counts, by what the board's first window has of the member. One that does not count changes
// nothing anywhere.
type Condition uint8

const (
	// Always: it counts.
	Always Condition = iota
	// IfNew: the member is not ranked.
	IfNew
	// IfRanked: the member is ranked.
	IfRanked
	// IfBetter: the member is not ranked, or the submitted score, as it is, is better than its own.
	IfBetter
)

// plan is a submission with the periods it belongs to, and what becomes of it.
type plan struct {
	b        *Board
	st       *state
	index    int // in its batch
	sub      Submission
	member   []byte
	implicit bool // its time is that of the call
	slots    []*slot
	score    func(was Row, ranked bool) (Score, bool) // makes the score under the lock; nil: it is there
	outcomes []outcome                                // parallel to slots

	someSlots    [4]*slot // room for the slices: few boards have more windows
	someOutcomes [4]outcome
}

// fill checks a submission and finds its periods. O(windows).
func (p *plan) fill(b *Board, st *state, sub Submission, now time.Time) error {
	p.b, p.st, p.sub, p.implicit, p.member = b, st, sub, sub.At.IsZero(), []byte(sub.Member)
	if p.implicit {
		p.sub.At = now
	}
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %q", err, st.name)
	}
	p.slots, p.outcomes = p.someSlots[:0], p.someOutcomes[:0]
	for _, s := range st.spans {
		x, err := s.at(p.sub.At)
		if err != nil {
			return err
		}
		if x.Start.After(now) {
			return fmt.Errorf("%w: %s of %q begins at %s, and it is %s", ErrTime, x.Name, st.name,
				x.Start.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
		}
		p.slots = append(p.slots, x)
	}
	return nil
}

func (p *plan) validate() error {
	switch sub := &p.sub; {
	case sub.Member == "" || len(sub.Member) > MaxMember:
		return ErrMember
	case len(sub.Once) > MaxOnce:
		return ErrOnce
	case len(sub.Meta) > p.st.spec.MaxMeta:
		return fmt.Errorf("%w: %d bytes, want at most %d", ErrMeta, len(sub.Meta), p.st.spec.MaxMeta)
	case sub.Near < 0:
		return fmt.Errorf("%w: Near is %d", ErrCount, sub.Near)
	case sub.Overtaken < 0 || sub.Overtaken > MaxOvertaken:
		return fmt.Errorf("%w: Overtaken is %d, want 0 to %d", ErrCount, sub.Overtaken, MaxOvertaken)
	case sub.If > IfBetter:
		return fmt.Errorf("%w: %d", ErrCondition, sub.If)
	}
	return nil
}

// early refuses what is for a closed period before any set is brought into memory for it. A submission with a Once key may be a retry,
// which has to look: the period leaves memory again.
func (p *plan) early(now time.Time) error {
	for i, x := range p.slots {
		switch s := p.st.spans[i]; {
		case !s.isClosed(x):
		case p.sub.Once == "":
			return p.refused(s, x, now)
		default:
			p.b.bs.ticker.note(x.key, now)
		}
	}
	return nil
}

// keys appends the keys of the sets that the submission touches.
func (p *plan) keys(dst []string) []string {
	for i, x := range p.slots {
		dst = append(dst, x.key)
		if p.st.spec.BestRanks {
			dst = append(dst, p.st.spans[i].best)
		}
	}
	if p.sub.Once != "" {
		dst = append(dst, p.st.once)
	}
	return dst
}

// Submit applies a submission to every window of the board in one commit, and returns when that is as durable as the engine makes
// it (B1). It waits while the board is being migrated. O(windows log members).
//
// Errors: ErrMember, ErrOnce, ErrMeta, ErrCount, ErrCondition; those of rules.Check and a *ScoreError; an *OutsideError, a *PeriodClosedError,
// ErrTime; ErrClosed, ErrNoBoard if it has been dropped; those of the engine. Nothing changes then, but for what Engine.Update
// says of ErrStalled and ErrPersistence.
func (b *Board) Submit(sub Submission) (Change, error) { return b.one(sub, nil) }

// SubmitFunc is Submit with a score that is made when nobody else can change the member's entry: score gets the member's row in the
// board's first window, with its ordinal rank from 1, and false if it is not ranked, and returns the score to submit, or false to submit
// nothing. It is called under locks, perhaps more than once; calls of the board or the engine that it makes return
// engine.ErrInTx. sub.Score is not looked at. Errors: those of Submit.
func (b *Board) SubmitFunc(sub Submission, score func(was Row, ranked bool) (Score, bool)) (Change, error) {
	return b.one(sub, score)
}

func (b *Board) one(sub Submission, score func(Row, bool) (Score, bool)) (Change, error) {
	var change [1]Change
	if err := unblame(b.submit(change[:], []Submission{sub}, score)); err != nil {
		return Change{}, err
	}
	return change[0], nil
}

// SubmitAll applies submissions one after the other, in one commit: all or none. What they change together is bounded by
// engine.MaxTransaction, and they belong to no more than engine.MaxKeys periods. O(submissions windows log members). Errors: a *BatchError
// with one of those of Submit that one of them has; ErrClosed, ErrNoBoard and those of the engine, which belong to none, as they are.
func (b *Board) SubmitAll(subs []Submission) ([]Change, error) {
	changes := make([]Change, len(subs))
	if err := b.submit(changes, subs, nil); err != nil {
		return nil, err
	}
	return changes, nil
}

// submit is SubmitAll. It begins again when the board has another spec by the time the sets are locked, or a submission of now
// would be one of an earlier period.
func (b *Board) submit(changes []Change, subs []Submission, score func(Row, bool) (Score, bool)) error {
	return b.retry(func(st *state) error { return b.try(st, changes, subs, score) })
}

func (b *Board) try(st *state, changes []Change, subs []Submission, score func(Row, bool) (Score, bool)) error {
	plans, now := make([]plan, len(subs)), b.bs.e.Now()
	var some [8]string
	keys := some[:0]
	for i, sub := range subs {
		err := plans[i].fill(b, st, sub, now)
		if err == nil {
			err = plans[i].early(now)
		}
		plans[i].index, plans[i].score = i, score
		if err != nil {
			return plans[i].blame(err)
		}
		keys = plans[i].keys(keys)
	}
	return b.bs.own.Update(keys, func(tx *engine.Tx) error {
		for i := range plans {
			if err := plans[i].run(tx, &changes[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// Keys appends the keys of the sets that a submission touches to dst: what a transaction must name to submit it with In. Its At
// must be set. O(windows). Errors: those of Submit that can be told by now; engine.ErrInTx inside a closure of the engine, and only while
// the board is being migrated.
func (b *Board) Keys(dst []string, sub Submission) ([]string, error) {
	st, err := b.ready()
	if err == nil && sub.At.IsZero() {
		err = fmt.Errorf("%w: a transaction's submission wants At", ErrTime)
	}
	if err != nil {
		return nil, err
	}
	var p plan
	now := b.bs.e.Now()
	if err := p.fill(b, st, sub, now); err != nil {
		return nil, err
	}
	if err := p.early(now); err != nil {
		return nil, err
	}
	return p.keys(dst), nil
}

// InTx is a board in a transaction of its engine.
type InTx struct {
	b  *Board
	tx *engine.Tx
}

// In returns the board as part of a transaction of its engine, which has named Keys of all that is to be submitted: so scores,
// the caller's own private keys, and other boards change together or not at all.
func (b *Board) In(tx *engine.Tx) InTx { return InTx{b, tx} }

// Submit is Board.Submit in the transaction: the submission's At must be set. Errors: as there, and ErrMigrating if the board is being
// migrated, or has been since Keys. After one of the board's the transaction is as it was before and may go on; after one of the
// engine it must not be committed.
func (t InTx) Submit(sub Submission) (c Change, err error) {
	p, err := t.plan(sub)
	if err == nil {
		err = p.told(t.tx, t.b.bs.own.In(t.tx, func() error { return p.run(t.tx, &c) }))
	}
	if err != nil {
		return Change{}, err
	}
	return c, nil
}

// Apply is Submit for who need not know what became of it but whether any entry has changed: it looks up no ranks, unless the spec has
// BestRanks. Errors: as Submit.
func (t InTx) Apply(sub Submission) (changed bool, err error) {
	if t.b.state.Load().spec.BestRanks {
		c, err := t.Submit(sub)
		return c.changed(), err
	}
	p, err := t.plan(sub)
	if err == nil {
		err = p.told(t.tx, t.b.bs.own.In(t.tx, func() error { return p.apply(t.tx, nil) }))
	}
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(p.outcomes, func(o outcome) bool { return o.changed }), nil
}

// told is an error as a transaction hears of it. One that has named the keys of an earlier version is too late.
func (p *plan) told(tx *engine.Tx, err error) error {
	err = unblame(err)
	late := err == errAgain
	if errors.Is(err, engine.ErrNotNamed) {
		for i, x := range p.slots {
			for v := p.st.version - 1; v > 0 && !late; v-- {
				_, err := tx.IntSet(Key{p.st.name, p.st.spans[i].Window.Name, x.Name, v}.String(), p.st.form)
				late = !errors.Is(err, engine.ErrNotNamed)
			}
		}
	}
	if late {
		return fmt.Errorf("%w: %q", ErrMigrating, p.st.name)
	}
	return err
}

func (t InTx) plan(sub Submission) (*plan, error) {
	if sub.At.IsZero() {
		return nil, fmt.Errorf("%w: a transaction's submission wants At", ErrTime)
	}
	p := new(plan)
	return p, p.fill(t.b, t.b.state.Load(), sub, t.tx.Now())
}

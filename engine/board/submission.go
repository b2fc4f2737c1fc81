package board

import (
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
	// Near asks for that many rows before the member's own and after it, in each window of the Change.
	Near int
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

// plan is a submission with the periods it belongs to.
type plan struct {
	b        *Board
	st       *state
	sub      Submission
	implicit bool // its time is that of the call
	slots    []*slot
	room     [4]*slot
	score    func(was Row, ranked bool) (Score, bool) // makes the score under the lock; nil: it is there
}

// plan checks a submission and finds its periods. O(windows).
func (b *Board) plan(st *state, sub Submission, now time.Time) (*plan, error) {
	p := &plan{b: b, st: st, sub: sub, implicit: sub.At.IsZero()}
	if p.implicit {
		p.sub.At = now
	}
	if err := p.validate(); err != nil {
		return nil, fmt.Errorf("%w: %q", err, st.name)
	}
	p.slots = p.room[:0]
	for _, s := range st.spans {
		x, err := s.at(p.sub.At)
		if err != nil {
			return nil, fmt.Errorf("%w: %q", err, st.name)
		}
		if x.Start.After(now) {
			return nil, fmt.Errorf("%w: %s of %q begins at %s, and it is %s", ErrTime, x.Name, st.name,
				x.Start.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
		}
		p.slots = append(p.slots, x)
	}
	return p, nil
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
	}
	return nil
}

// keys appends the keys of the sets that the submission touches.
func (p *plan) keys(dst []string) []string {
	for i, x := range p.slots {
		dst = append(dst, x.key)
		if p.st.spec.BestRanks {
			dst = append(dst, p.st.bestKey(p.st.spans[i].Window.Name))
		}
	}
	if p.sub.Once != "" {
		dst = append(dst, p.st.onceKey())
	}
	return dst
}

// Submit applies a submission to every window of the board in one commit, and returns when that is as durable as the engine makes
// it (B1). It waits while the board is being migrated. O(windows log members).
//
// Errors: ErrMember, ErrOnce, ErrMeta, ErrCount; those of rules.Check and a *ScoreError; an *OutsideError, a *PeriodClosedError,
// ErrTime; ErrClosed, ErrNoBoard if it has been dropped; those of the engine. Nothing changes then, but for what Engine.Update
// says of ErrStalled and ErrPersistence.
func (b *Board) Submit(sub Submission) (Change, error) {
	changes, err := b.submit([]Submission{sub}, nil)
	if err != nil {
		return Change{}, err.(*BatchError).Err
	}
	return changes[0], nil
}

// SubmitFunc is Submit with a score that is made when nobody else can change the member's entry: score gets the member's row in
// the board's first window, and false if it is not ranked, and returns the score to submit, or false to submit nothing. It is called
// under locks, perhaps more than once, and must not call the board or the engine. sub.Score is not looked at. Errors: those of Submit.
func (b *Board) SubmitFunc(sub Submission, score func(was Row, ranked bool) (Score, bool)) (Change, error) {
	changes, err := b.submit([]Submission{sub}, score)
	if err != nil {
		return Change{}, err.(*BatchError).Err
	}
	return changes[0], nil
}

// SubmitAll applies submissions one after the other, in one commit: all or none. What they change together is bounded by
// engine.MaxTransaction. O(submissions windows log members). Error: a *BatchError with one of those of Submit.
func (b *Board) SubmitAll(subs []Submission) ([]Change, error) { return b.submit(subs, nil) }

// submit is SubmitAll. It begins again when the board has another spec by the time the sets are locked, or a submission of now
// would be one of an earlier period.
func (b *Board) submit(subs []Submission, score func(Row, bool) (Score, bool)) (changes []Change, err error) {
	for again := true; again; {
		if changes, again, err = b.try(subs, score); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

func (b *Board) try(subs []Submission, score func(Row, bool) (Score, bool)) (changes []Change, again bool, err error) {
	st, err := b.ready()
	if err != nil {
		return nil, false, &BatchError{0, err}
	}
	plans, keys, now := make([]*plan, len(subs)), make([]string, 0, 8), b.bs.e.Now()
	for i, sub := range subs {
		if plans[i], err = b.plan(st, sub, now); err != nil {
			return nil, false, &BatchError{i, err}
		}
		plans[i].score = score
		keys = plans[i].keys(keys)
	}
	at := 0
	err = b.bs.e.Update(keys, func(tx *engine.Tx) error {
		changes = make([]Change, len(plans))
		for i, p := range plans {
			at = i
			if changes[i], err = p.run(tx); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err == errAgain:
		return nil, true, nil
	case err != nil:
		return nil, false, &BatchError{at, err}
	}
	return changes, false, nil
}

// Keys appends the keys of the sets that a submission touches to dst: what a transaction must name to submit it with In. Its At
// must be set. O(windows). Errors: those of Submit that can be told by now.
func (b *Board) Keys(dst []string, sub Submission) ([]string, error) {
	st, err := b.ready()
	if err == nil && sub.At.IsZero() {
		err = fmt.Errorf("%w: a transaction's submission wants At", ErrTime)
	}
	if err != nil {
		return nil, err
	}
	p, err := b.plan(st, sub, b.bs.e.Now())
	if err != nil {
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

// Submit is Board.Submit in the transaction: the submission's At must be set. Errors: as there, and ErrMigrating. After one of the
// board's the transaction is as it was before and may go on; after one of the engine it must not be committed.
func (t InTx) Submit(sub Submission) (Change, error) {
	p, err := t.plan(sub)
	if err != nil {
		return Change{}, err
	}
	c, err := p.run(t.tx)
	return c, p.told(err)
}

// Apply is Submit for who need not know what became of it but whether any entry has changed: it looks up no ranks, unless the spec has
// BestRanks. Errors: as Submit.
func (t InTx) Apply(sub Submission) (changed bool, err error) {
	p, err := t.plan(sub)
	if err != nil {
		return false, err
	}
	if p.st.spec.BestRanks {
		c, err := t.Submit(sub)
		return c.changed(), err
	}
	outcomes, err := p.apply(t.tx, nil)
	return slices.ContainsFunc(outcomes, func(o outcome) bool { return o.changed }), p.told(err)
}

// told is an error as a transaction hears of it.
func (p *plan) told(err error) error {
	if err == errAgain {
		return fmt.Errorf("%w: %q", ErrMigrating, p.st.name)
	}
	return err
}

func (t InTx) plan(sub Submission) (*plan, error) {
	st := t.b.state.Load()
	if sub.At.IsZero() {
		return nil, fmt.Errorf("%w: a transaction's submission wants At", ErrTime)
	}
	return t.b.plan(st, sub, t.tx.Now())
}

package submit

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/ranking"
	"github.com/zrankdb/zrank/engine/board/internal/state"
	"github.com/zrankdb/zrank/engine/board/rules"
)

// ScoreFunc makes the score of a submission from the member's row: see Board.SubmitFunc.
type ScoreFunc func(was ranking.Row, ranked bool) (rules.Score, bool)

// plan is a submission with its periods, and what the transaction makes of it.
type plan struct {
	b        *catalog.Board
	st       *state.State
	index    int // in its batch, from 0
	sub      Submission
	member   []byte
	implicit bool // its time is that of the call
	slots    []*state.Slot
	score    ScoreFunc // nil: sub.Score is the score
	outcomes []outcome // parallel to slots

	slotArray    [4]*state.Slot // backs the slices: few boards have more windows
	outcomeArray [4]outcome
}

// outcome is what a submission makes of a member's entry in one window.
type outcome struct {
	set       *engine.IntSet
	old, next rules.Entry
	had       bool // the member was ranked
	changed   bool
}

// fill checks a submission and finds its periods. O(windows).
func (p *plan) fill(b *catalog.Board, st *state.State, sub Submission, now time.Time) error {
	p.b, p.st, p.sub, p.implicit, p.member = b, st, sub, sub.At.IsZero(), []byte(sub.Member)
	if p.implicit {
		p.sub.At = now
	}
	if err := p.validate(); err != nil {
		return fmt.Errorf("%w: %q", err, st.Name)
	}
	p.slots, p.outcomes = p.slotArray[:0], p.outcomeArray[:0]
	for _, t := range st.Timelines {
		x, err := t.SlotAt(p.sub.At)
		if err != nil {
			return err
		}
		if x.Start.After(now) {
			return fmt.Errorf("%w: %s of %q begins at %s, and it is %s", errs.ErrTime, x.Name, st.Name,
				x.Start.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
		}
		p.slots = append(p.slots, x)
	}
	return nil
}

func (p *plan) validate() error {
	switch sub := &p.sub; {
	case sub.Member == "" || len(sub.Member) > MaxMember:
		return errs.ErrMember
	case len(sub.Once) > MaxOnce:
		return errs.ErrOnce
	case len(sub.Meta) > p.st.Spec.MaxMeta:
		return fmt.Errorf("%w: %d bytes, want at most %d", errs.ErrMeta, len(sub.Meta), p.st.Spec.MaxMeta)
	case sub.Near < 0:
		return fmt.Errorf("%w: Near is %d", errs.ErrCount, sub.Near)
	case sub.Overtaken < 0 || sub.Overtaken > MaxOvertaken:
		return fmt.Errorf("%w: Overtaken is %d, want 0 to %d", errs.ErrCount, sub.Overtaken, MaxOvertaken)
	case sub.If > IfBetter:
		return fmt.Errorf("%w: %d", errs.ErrCondition, sub.If)
	}
	return nil
}

// precheck refuses a submission for a closed period before the transaction loads the period's set. A submission with a Once key may be a
// retry, so its transaction has to read the set; precheck has it evicted again.
func (p *plan) precheck(now time.Time) error {
	for i, x := range p.slots {
		switch t := p.st.Timelines[i]; {
		case !t.IsClosed(x):
		case p.sub.Once == "":
			return p.refused(t, x, now)
		default:
			p.b.Env().Idle.NoteRead(x.Key, now)
		}
	}
	return nil
}

// keys appends the keys of the sets that the submission may change.
func (p *plan) keys(dst []string) []string {
	for i, x := range p.slots {
		dst = append(dst, x.Key)
		if p.st.Spec.BestRanks {
			dst = append(dst, p.st.Timelines[i].BestKey)
		}
	}
	if p.sub.Once != "" {
		dst = append(dst, p.st.OnceKey)
	}
	return dst
}

// checkTime returns a BatchError if one of the periods accepts no more results.
func (p *plan) checkTime(now time.Time) error {
	for i, x := range p.slots {
		if t := p.st.Timelines[i]; !t.Accepts(x, now) {
			return p.blame(p.refused(t, x, now))
		}
	}
	return nil
}

// refused returns the error of a period that accepts no more results: ErrAgain if the submission has no time of its own and the next
// period has begun since the call read the clock, for it belongs to that one.
func (p *plan) refused(t *state.Timeline, x *state.Slot, now time.Time) error {
	if p.implicit && t.AnotherIsLive(x, p.b.Engine().Now()) {
		return errs.ErrAgain
	}
	return t.ClosedError(x, p.sub.At, now)
}

// ruleError adds the board and the member to an error of the rules.
func (p *plan) ruleError(err error) error {
	return p.blame(fmt.Errorf("%w: %q, member %q", err, p.st.Name, p.sub.Member))
}

// blame makes a BatchError of an error that is the submission's own, and not the board's or the engine's. ErrAgain stays as it is.
func (p *plan) blame(err error) error {
	if err == errs.ErrAgain {
		return err
	}
	return &errs.BatchError{Index: p.index, Err: err}
}

// unblame returns the error in a BatchError.
func unblame(err error) error {
	if of, ok := err.(*errs.BatchError); ok {
		return of.Err
	}
	return err
}

package submit

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/errs"
	"github.com/zrankdb/zrank/board/internal/following"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/board/rules"
)

// ScoreFunc computes the score of a submission from the member's row: see Board.SubmitFunc.
type ScoreFunc func(was board.Row, ranked bool) (rules.Score, bool)

// plan is a submission with its periods and, once its transaction has computed them, its outcomes.
type plan struct {
	b        *catalog.Board
	st       *state.State
	index    int // of the submission in its batch, from 0
	sub      board.Submission
	member   []byte
	implicit bool              // the submission has no time: fill sets that of the call
	within   bool              // the transaction is the caller's: see In
	hidden   bool              // the member was hidden when fill looked: its entries are beside the rankings
	hides    bool              // there were hidden members when fill looked
	whole    bool              // the transaction has all sets of rankings in parts locked, not only those of the member
	lines    []*state.Timeline // the windows that the submission goes to, in the order of the board
	slots    []*state.Slot     // parallel to lines
	score    ScoreFunc         // nil: sub.Score is the score
	outcomes []outcome         // parallel to slots
	kept     []kept            // parallel to slots; empty if the rules store nothing beside entries

	logged       *logged        // the row for the journal of the board; nil until a submission to a board with a journal needs it
	memberBuf    []byte         // backs member
	rolls        []rolled       // backs outcome.roll
	tails        []tail.Sets    // memory of places
	slotArray    [4]*state.Slot // these back the slices without allocation for boards of up to 4 windows
	outcomeArray [4]outcome
	keptArray    [4]kept
}

// outcome is a member's entry in one window before and after a submission.
type outcome struct {
	place.Place
	old, next rules.Entry
	had       bool // the member was ranked: old is its entry
	changed   bool
	ignored   rules.Ignored // if not changed

	roll          *rolled // of a rolling window, else nil
	stepDue       bool    // the submission has made a step of the place due
	before, after int     // ranks from 0, if changed: see place.Place.Put
}

// rolled is the part of an outcome in a rolling window.
type rolled struct {
	rolling.Sets
	due rolling.Due // what the transaction has found out
	sub rules.Entry // the result that the submission adds
}

// kept is what is stored beside the member's entry in one window: results, or the times of those that count.
type kept struct {
	results       []rules.Result // before the submission
	stored, after []byte         // stored before it and after it; of times after holds those before it until they are applied
}

// logged is the row that a submission adds to the journal of its board.
type logged struct {
	log  journal.Log
	row  journal.Row
	ties []byte // backs the ties of row
	buf  []byte
}

// periods iterates over periods with their windows.
type periods = iter.Seq2[*state.Timeline, *state.Slot]

// periods iterates over the periods of the submission.
func (p *plan) periods(yield func(*state.Timeline, *state.Slot) bool) {
	for i, slot := range p.slots {
		if !yield(p.lines[i], slot) {
			return
		}
	}
}

// isOneSet reports whether the ranking of window i is one set in the transaction.
func (p *plan) isOneSet(i int) bool { return p.outcomes[i].IsOneSet() }

// fill checks a submission and finds its periods. O(windows).
func (p *plan) fill(b *catalog.Board, st *state.State, sub board.Submission, now time.Time) (err error) {
	if err := b.CheckSubmits(); err != nil {
		return err
	}
	if err := b.Env().Jumps.Check(now); err != nil {
		return err
	}
	p.b, p.st, p.sub, p.implicit = b, st, sub, sub.At.IsZero()
	if p.implicit {
		p.sub.At = now
	}
	if err := p.sub.Validate(st.Spec); err != nil {
		return fmt.Errorf("%w: %q", err, st.Name)
	}
	p.memberBuf = append(p.memberBuf[:0], sub.Member...) // MaxMember at most
	p.member = p.memberBuf
	p.hidden, _ = b.Hides.Of(p.member)
	p.hides = b.Hides.Any()
	p.slots, p.outcomes = p.slotArray[:0], p.outcomeArray[:0]
	if p.lines, err = LinesOf(st, sub.Windows, p.sub.At); err != nil {
		return err
	}
	for _, t := range p.lines {
		slot, err := t.SlotAt(p.sub.At)
		if err != nil {
			return err
		}
		if slot.Start.After(now) {
			return fmt.Errorf("%w: %s of %q begins at %s, and it is %s", board.ErrTime, slot.Name, st.Name,
				slot.Start.Format(time.RFC3339Nano), now.Format(time.RFC3339Nano))
		}
		p.slots, p.outcomes = append(p.slots, slot), append(p.outcomes, outcome{})
		p.outcomes[len(p.outcomes)-1].Begin(t, slot, p.member)
	}
	return nil
}

// LinesOf returns the timelines of the windows that a submission of a time goes to: all windows if there are no names, less those that have no period then, as
// between two seasons. Errors: ErrNoWindow; ErrOutside if none of the windows has a period.
func LinesOf(st *state.State, windows []string, at time.Time) (lines []*state.Timeline, err error) {
	for _, name := range windows {
		if _, err := st.Timeline(name); err != nil {
			return nil, err
		}
	}
	all := len(windows) == 0
	for _, t := range st.Timelines {
		all = all && t.HasPeriod(at)
	}
	if all {
		return st.Timelines, nil
	}
	for _, t := range st.Timelines {
		switch named := len(windows) == 0 || slices.Contains(windows, t.Window.Name); {
		case named && t.HasPeriod(at):
			lines = append(lines, t)
		case named && err == nil:
			_, err = t.PeriodAt(at)
		}
	}
	if len(lines) > 0 {
		return lines, nil
	}
	return nil, err
}

// precheck refuses a submission for a closed period before its transaction loads the period's set. A submission with a Once key may be a
// retry, so its transaction must load the set; precheck notes the read, so that the evictor evicts the set again.
func (p *plan) precheck(now time.Time) error {
	for i, slot := range p.slots {
		switch t := p.lines[i]; {
		case !t.IsClosed(slot):
		case p.sub.Once == "":
			return p.closedError(t, slot, now)
		default:
			p.b.Env().Idle.NoteRead(now, t.SetKeys(slot.Name)...)
		}
	}
	return nil
}

// keys appends the keys of the sets that the submission may change.
func (p *plan) keys(dst []string) []string {
	for i, slot := range p.slots {
		t := p.lines[i]
		if p.whole {
			dst = p.outcomes[i].AppendAllKeys(dst)
		} else {
			dst = p.outcomes[i].AppendKeys(dst)
		}
		if p.st.Spec.BestRanks {
			dst = append(dst, t.BestKey)
		}
		if t.HasCohorts {
			dst = append(dst, slot.CohortKey, t.TierKey)
		}
		switch {
		case rolling.IsRolling(t) && p.hides:
			dst = rolling.AppendKeys(dst, t)
		case rolling.IsRolling(t):
			dst = rolling.AppendShown(dst, t)
		case p.hidden:
			dst = append(dst, t.HiddenKey(slot.Name))
		}
		dst = following.AppendKeys(dst, p.b, t, slot, p.member)
	}
	if p.sub.Once != "" {
		dst = append(dst, p.st.OnceKey)
	}
	if p.st.HasJournal() {
		dst = append(dst, p.st.JournalKey)
	}
	return dst
}

// mayChange returns a BatchError if one of the periods accepts no more results, or the member is banned.
func (p *plan) mayChange(now time.Time) error {
	if err := p.b.Bans.Check(p.member); err != nil {
		if err != errs.ErrAgain {
			err = fmt.Errorf("%w: %q, member %q", err, p.st.Name, p.sub.Member)
		}
		return p.batchError(err)
	}
	for i, slot := range p.slots {
		if t := p.lines[i]; !t.Accepts(slot, now) || rolling.IsLate(t, p.sub.At, now) {
			return p.batchError(p.closedError(t, slot, now))
		}
	}
	return nil
}

// closedError returns the error of a period that accepts no more results. It is ErrAgain if the submission has no time and another period has
// become live since the call read the clock, or a rolling window has left that time behind: the submission belongs to the present.
func (p *plan) closedError(t *state.Timeline, slot *state.Slot, now time.Time) error {
	if p.implicit && (rolling.IsRolling(t) || t.AnotherIsLive(slot, p.b.Engine().Now())) {
		return errs.ErrAgain
	}
	if rolling.IsRolling(t) {
		return rolling.LateError(t, p.sub.At)
	}
	return t.ClosedError(slot, p.sub.At, now)
}

// ruleError adds the board and the member to an error of the rules.
func (p *plan) ruleError(err error) error {
	return p.batchError(fmt.Errorf("%w: %q, member %q", err, p.st.Name, p.sub.Member))
}

// batchError wraps an error of this submission, not of the board or the engine, in a BatchError. It returns ErrAgain unchanged.
func (p *plan) batchError(err error) error {
	if err == errs.ErrAgain {
		return err
	}
	return &board.BatchError{Index: p.index, Err: err}
}

// unwrapBatch returns the error in a BatchError, and any other error unchanged.
func unwrapBatch(err error) error {
	if batch, ok := err.(*board.BatchError); ok {
		return batch.Err
	}
	return err
}

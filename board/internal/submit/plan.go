package submit

import (
	"fmt"
	"slices"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/journal"
	"github.com/zrankdb/zrank/board/internal/place"
	"github.com/zrankdb/zrank/board/internal/rolling"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// plan is a submission with its periods and, once its transaction has computed them, its outcomes.
type plan struct {
	request
	logged       *logged        // the row for the journal of the board; nil until a submission to a board with a journal needs it
	memberBuf    []byte         // backs member
	memory       []place.Memory // of the places
	outcomeArray [4]outcome     // backs outcomes without allocation for boards of up to 4 windows; those that are not in use are zero
}

// request is a submission to a board.
type request struct {
	b        *catalog.Board
	st       *state.State
	index    int // of the submission in its batch, from 0
	sub      board.Submission
	member   []byte
	implicit bool            // the submission has no time: fill sets that of the call
	within   bool            // the transaction is the caller's: see In
	hidden   bool            // the member was hidden when fill looked: its entries are beside the rankings
	whole    bool            // the transaction has all sets of rankings in parts locked, not only those of the member
	score    entry.ScoreFunc // nil: sub.Score is the score
	outcomes []outcome       // of the windows that the submission goes to, in the order of the board
}

// free lets go of what the submission has used, and keeps memory for the next one.
func (p *plan) free() {
	clear(p.outcomes)
	clear(p.memory)
	p.request, p.memberBuf, p.memory = request{}, p.memberBuf[:0], p.memory[:0]
}

// outcome is a member's entry in one window before and after a submission. Its ranks are those of
// the Change.
type outcome struct {
	catalog.Change
	at      place.Place
	kept    place.Kept    // beside the entry before
	keeps   []byte        // beside the entry after
	result  rules.Entry   // that the submission adds
	changed bool          // the entry changes
	ignored rules.Ignored // if not changed
	stepDue bool          // the submission has made a step of the place due
}

// logged is the row that a submission adds to the journal of its board.
type logged struct {
	log  journal.Log
	row  journal.Row
	ties []byte // backs the ties of row
	buf  []byte
}

// periods iterates over the periods of the submission.
func (p *plan) periods(yield func(*state.Timeline, *state.Slot) bool) {
	for i := range p.outcomes {
		if o := &p.outcomes[i]; !yield(o.T, o.Slot) {
			return
		}
	}
}

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
	clear(p.outcomes)
	p.outcomes = nil
	lines, err := st.LinesAt(sub.Windows, p.sub.At)
	if err != nil {
		return err
	}
	p.memory = p.memory[:0]
	for _, t := range lines {
		slot, err := t.ResultSlot(p.sub.At, now)
		if err != nil {
			return err
		}
		if n := len(p.outcomes); n < len(p.outcomeArray) {
			p.outcomes = p.outcomeArray[:n+1]
		} else {
			p.outcomes = append(p.outcomes, outcome{})
		}
		o := &p.outcomes[len(p.outcomes)-1]
		if o.at.Begin(b, st, t, slot, sub.Member, p.member); o.at.NeedsMemory() {
			if len(p.memory) == 0 {
				p.memory = slices.Grow(p.memory, len(lines)) // so that append moves none of them
			}
			p.memory = append(p.memory, place.Memory{})
			o.at.Memory = &p.memory[len(p.memory)-1]
		}
		o.at.Within, o.Change = p.within, o.at.Coming(feed.Submitted)
	}
	return nil
}

// precheck refuses a submission for a closed period before its transaction loads the period's set.
// A submission with a Once key may be a retry, so its transaction must load the set; precheck notes
// the read, so that the evictor evicts the set again.
func (p *plan) precheck(now time.Time) error {
	for t, slot := range p.periods {
		switch {
		case !t.IsClosed(slot):
		case p.sub.Once == "":
			return p.closedError(t, slot, now)
		default:
			p.b.Env().Idle.NoteRead(now, t.SetKeys(slot.Name)...)
		}
	}
	return nil
}

// keys appends the keys of the sets that the transaction locks before it looks at the board: of those
// that have the member, or would have it, and of those of the board; and of hot ones of followers, as a
// hint. Observers lock further ones.
func (p *plan) keys(dst []string) []string {
	for i := range p.outcomes {
		o := &p.outcomes[i]
		if dst = o.at.AppendKeys(dst, p.whole); p.hidden {
			dst = append(dst, o.at.HiddenKey())
		}
		dst = p.b.AppendHints(dst, o.T, o.Slot, p.member)
	}
	if p.sub.Once != "" {
		dst = append(dst, p.st.OnceKey)
	}
	if p.st.HasJournal() {
		dst = append(dst, p.st.JournalKey)
	}
	return dst
}

// mayChange returns a BatchError if one of the periods accepts no more results, or the member is
// banned.
func (p *plan) mayChange(now time.Time) error {
	if err := p.b.Bans.Check(p.member); err != nil {
		if err != state.ErrAgain {
			err = fmt.Errorf("%w: %q, member %q", err, p.st.Name, p.sub.Member)
		}
		return p.batchError(err)
	}
	for t, slot := range p.periods {
		if !t.Accepts(slot, now) || rolling.IsLate(t, p.sub.At, now) {
			return p.batchError(p.closedError(t, slot, now))
		}
	}
	return nil
}

// closedError returns the error of a period that accepts no more results. It is ErrAgain if the
// submission has no time and another period has become live since the call read the clock, or a
// rolling window has left that time behind: the submission belongs to the present.
func (p *plan) closedError(t *state.Timeline, slot *state.Slot, now time.Time) error {
	if p.implicit && (rolling.IsRolling(t) || t.AnotherIsLive(slot, p.b.Engine().Now())) {
		return state.ErrAgain
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

// batchError wraps an error of this submission, not of the board or the engine, in a BatchError. It
// returns ErrAgain unchanged.
func (p *plan) batchError(err error) error {
	if err == state.ErrAgain {
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

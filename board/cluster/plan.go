package cluster

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/entry"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/internal/state"
	"github.com/zrankdb/zrank/board/rules"
)

// plan is a submission with its periods and what the rules decide.
type plan struct {
	b        *clusterBoard
	sub      board.Submission
	member   []byte
	k        int // partition
	standing layout.Standing
	implicit bool
	now      time.Time
	arrival  uint64          // of the submission, among those with one partition; 0 with several, where arrivals cannot be compared
	score    entry.ScoreFunc // nil: sub.Score is the score
	lines    []*state.Timeline
	slots    []*state.Slot
	outcomes []outcome
}

// outcome is what a submission does in one window.
type outcome struct {
	was, is   layout.Value
	old, next rules.Entry
	changed   bool
	ignored   rules.Ignored // if not changed
}

// newPlan checks a submission, and finds its periods. Errors: those of board.Board.Submit.
func (b *clusterBoard) newPlan(sub board.Submission, score entry.ScoreFunc) (*plan, error) {
	p := &plan{b: b, sub: sub, member: []byte(sub.Member), implicit: sub.At.IsZero(), now: b.now(), score: score}
	p.k = b.keys.PartitionOf(p.member)
	if p.implicit {
		p.sub.At = p.now
	}
	if err := p.sub.Validate(b.st.Spec); err != nil {
		return nil, fmt.Errorf("%w: %q", err, b.st.Name)
	}
	var err error
	if p.lines, err = b.st.LinesAt(sub.Windows, p.sub.At); err != nil {
		return nil, err
	}
	for _, t := range p.lines {
		slot, err := t.ResultSlot(p.sub.At, p.now)
		if err != nil {
			return nil, err
		}
		p.slots = append(p.slots, slot)
	}
	return p, nil
}

// precheck returns an error if one of the periods is known to be closed. A submission with a Once key may be a duplicate.
func (p *plan) precheck() error {
	for i, slot := range p.slots {
		if t := p.lines[i]; t.IsClosed(slot) && p.sub.Once == "" {
			return p.closedError(t, slot)
		}
	}
	return nil
}

// mayCount returns an error if the member is banned, or one of the periods accepts no more results.
func (p *plan) mayCount() error {
	if err := p.precheck(); err != nil {
		return err
	}
	if p.standing.Banned {
		return fmt.Errorf("%w: %q, member %q", board.ErrBanned, p.b.st.Name, p.sub.Member)
	}
	return p.isOpen()
}

// isOpen returns an error if one of the periods accepts no more results by what is known of them.
func (p *plan) isOpen() error {
	for i, slot := range p.slots {
		if t := p.lines[i]; !t.Accepts(slot, p.now) {
			return p.closedError(t, slot)
		}
	}
	return nil
}

// closedError returns the error of a period that is closed. It is errs.ErrAgain if the submission has no time, and another period is live by now.
func (p *plan) closedError(t *state.Timeline, slot *state.Slot) error {
	if p.implicit && t.AnotherIsLive(slot, p.b.now()) {
		return state.ErrAgain
	}
	return t.ClosedError(slot, p.sub.At, p.now)
}

// read is readOnce, again as long as an operator's call holds the member.
func (p *plan) read(ctx context.Context) (duplicate bool, err error) {
	err = commit.WhileHeld(ctx, func() (held bool, err error) {
		duplicate, err = p.readOnce(ctx)
		return p.standing.IsHeld(p.b.now()), err
	})
	return duplicate, err
}

// reading is what a plan asks the servers for.
type reading struct {
	values    []*redis.StringCmd
	fence     *redis.SliceCmd
	used      *redis.FloatCmd
	of        [2]string
	standings *redis.SliceCmd
}

// readOnce reads the values of the member into outcomes, notes what has been closed, and reports whether a submission with the same Once key has been counted.
func (p *plan) readOnce(ctx context.Context) (duplicate bool, err error) {
	var r reading
	if err := p.b.servers.Ask(ctx, func(pipe redis.Pipeliner) { r = p.ask(ctx, pipe) }); err != nil {
		return false, err
	}
	return p.take(&r)
}

// ask queues what the plan asks for.
func (p *plan) ask(ctx context.Context, pipe redis.Pipeliner) (r reading) {
	fields := []string{layout.ArrivalsField}
	for _, t := range p.lines {
		fields = append(fields, layout.ClosedField(t.Window.Name))
	}
	for i, slot := range p.slots {
		r.values = append(r.values, pipe.HGet(ctx, p.b.keys.Values(p.k, p.lines[i].Window.Name, slot.Name), p.sub.Member))
	}
	r.fence = pipe.HMGet(ctx, p.b.keys.Fence(p.k), fields...)
	r.used = pipe.ZScore(ctx, p.b.keys.Once(p.k), p.sub.Once)
	r.of = p.b.keys.StandingFields(p.sub.Member)
	r.standings = pipe.HMGet(ctx, p.b.keys.Standings(p.k), r.of[:]...)
	return r
}

// take takes the answers.
func (p *plan) take(r *reading) (duplicate bool, err error) {
	p.standing = layout.DecodeStanding(r.of, r.standings.Val())
	if text, _ := r.fence.Val()[0].(string); p.b.partitions() == 1 {
		p.arrival, _ = strconv.ParseUint(text, 10, 64) // none yet: 0
		p.arrival++
	}
	for i, through := range r.fence.Val()[1:] {
		if text, ok := through.(string); ok {
			commit.NoteClosed(p.lines[i], text)
		}
	}
	return p.sub.Once != "" && r.used.Err() == nil && int64(r.used.Val()) > p.b.writer.OnceSince(p.now), p.decode(r.values)
}

// decode makes outcomes of stored values.
func (p *plan) decode(stored []*redis.StringCmd) error {
	p.outcomes = make([]outcome, len(stored))
	for i, text := range stored {
		v, err := layout.DecodeValue(text.Val(), p.b.st.Rules.TieWidth())
		if err != nil {
			return err
		}
		o := &p.outcomes[i]
		o.was, o.is, o.old = v, v, v.Entry(p.b.st.Rules)
		o.next = o.old
	}
	return nil
}

// decide computes what the submission does. It reports skip if it does not count.
func (p *plan) decide(ctx context.Context) (skip bool, err error) {
	if err := p.mayCount(); err != nil {
		return false, err
	}
	if now := p.b.now(); p.implicit && now.After(p.sub.At) && !slices.ContainsFunc(p.slots, func(s *state.Slot) bool { return !s.IsIn(now) }) { // so that what others have committed meanwhile is older
		p.sub.At = now
	}
	sub := rules.Entry{Score: p.sub.Score, Reached: p.sub.At.UnixMicro(), Arrival: p.arrival}
	first := &p.outcomes[0]
	if p.score != nil {
		was, err := p.wasRow(ctx)
		if err != nil {
			return false, err
		}
		score, ok := p.score(was, first.was.HasMember)
		if !ok {
			return true, nil
		}
		sub.Score = score
	}
	meets, err := entry.Meets(p.b.st.Rules, p.sub.If, first.was.HasMember, first.old.Score, sub.Score)
	if err != nil {
		return false, p.ruleError(err)
	}
	if !meets {
		return true, nil
	}
	for i := range p.outcomes {
		if err := p.apply(&p.outcomes[i], sub); err != nil {
			return false, p.ruleError(err)
		}
	}
	return false, nil
}

// apply applies the rules in one window.
func (p *plan) apply(o *outcome, sub rules.Entry) error {
	next, is, changed, ignored, err := o.was.WithKept().Submit(p.b.st.Rules, sub)
	if err != nil {
		return layout.Corrupt(err)
	}
	o.next, o.changed, o.ignored, o.is = is, changed, ignored, o.was.With(next)
	if o.is.Hidden = o.is.HasMember && p.standing.Hidden; o.changed && p.sub.Meta != nil {
		o.is.Meta = p.sub.Meta
	}
	return nil
}

// wasRow returns the member's row in the first window as it is; it is zero if the member is not ranked.
func (p *plan) wasRow(ctx context.Context) (row board.Row, err error) {
	first := &p.outcomes[0]
	if !first.was.HasMember {
		return row, nil
	}
	if first.was.Hidden {
		ranking.SetRow(&row, p.b.st.Rules, 0, p.sub.Member, &first.old)
		return row, nil
	}
	s := p.b.setsOf(ctx, p.lines[0].Window.Name, p.slots[0].Name)
	rank := s.Seek([]byte(first.was.Text(p.member)))
	ranking.SetRow(&row, p.b.st.Rules, rank+1, p.sub.Member, &first.old)
	return row, s.Err()
}

func (p *plan) ruleError(err error) error {
	return fmt.Errorf("%w: %q, member %q", err, p.b.st.Name, p.sub.Member)
}

// commit returns the commit of the outcomes.
func (p *plan) commit() *commit.Commit {
	c := &commit.Commit{K: p.k, Now: p.now, Arrival: p.arrival}
	if p.sub.Once != "" {
		c.Once = []string{p.sub.Once}
	}
	p.addTo(c)
	return c
}

// addTo adds the outcomes to a commit.
func (p *plan) addTo(c *commit.Commit) {
	c.Standings = append(c.Standings, commit.StandingEdit{Was: p.standing, Is: p.standing.Released()})
	for i := range p.outcomes {
		c.Edits = append(c.Edits, commit.Edit{Timeline: p.lines[i], Slot: p.slots[i], Member: p.member, Was: p.outcomes[i].was, Is: p.outcomes[i].is, Near: p.sub.Near, Overtaken: p.sub.Overtaken})
	}
}

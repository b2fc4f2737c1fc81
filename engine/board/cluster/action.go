package cluster

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/engine/board/internal/auditlog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/moderation"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// action is what an operator does about a member: a call that changes all periods, open and closed, by one commit.
type action struct {
	auditlog.Action
	b      *Board
	kind   auditlog.Kind
	member []byte
	to     string // the other member of a Rename or Merge
	who    standing
	spots  []spot              // of the member in all periods
	decide func(*action) error // sets what the values and the standing are to be, and the places
	commit *commit             // what is decided
	traces []auditlog.Trace    // that are erased
}

// act makes an action. decide is called again whenever something has changed since it was called. Errors: ErrMember, ErrAction, those of decide, ErrUndecided, those
// of the servers.
func (b *Board) act(ctx context.Context, kind auditlog.Kind, member string, a auditlog.Action, decide func(*action) error) (r moderation.Result, err error) {
	if member == "" || len(member) > submit.MaxMember {
		return r, errs.ErrMember
	}
	if err := a.Validate(kind); err != nil {
		return r, err
	}
	x := &action{Action: a, b: b, kind: kind, member: []byte(member), decide: decide}
	x.commit = &commit{b: b, k: partitionOf(x.member, b.partitions()), isWhole: true}
	for made, tries := false, 0; !made && err == nil; tries++ {
		if tries > 1 { // others have changed the member twice
			err = x.hold(ctx)
		}
		if err == nil {
			made, err = x.try(ctx)
		}
	}
	if err != nil {
		return r, err
	}
	return moderation.Result{Entry: x.commit.number, Places: x.commit.places, Traces: x.traces}, nil
}

// hold makes the submissions of the members wait.
func (x *action) hold(ctx context.Context) error {
	err := x.b.hold(ctx, x.member)
	if err == nil && x.to != "" {
		err = x.b.hold(ctx, []byte(x.to))
	}
	return err
}

// try looks at the member, decides, and commits. made is false if something has changed meanwhile. A dry run commits nothing.
func (x *action) try(ctx context.Context) (made bool, err error) {
	if _, err := x.b.closeDue(ctx); err != nil {
		return false, err
	}
	c := x.commit
	c.now, c.edits, c.standings, c.places = x.b.now(), nil, nil, nil
	if x.who, err = x.b.standingOf(ctx, x.member); err != nil {
		return false, err
	}
	if x.spots, err = x.b.spotsOf(ctx, x.member); err != nil {
		return false, err
	}
	if err := x.decide(x); err != nil || x.DryRun {
		return err == nil, err
	}
	if err := x.takeNumber(ctx); err != nil {
		return false, err
	}
	c.entry = new(auditlog.New(x.kind, string(x.member), x.Action))
	c.entry.Done, c.entry.To, c.entry.Traces = true, x.to, x.traces
	if x.kind == auditlog.Erase {
		c.entry.Forget(string(x.member), x.b.hashOf(string(x.member)))
	}
	r, err := c.run(ctx)
	if made = r.word == "made"; made {
		c.number = r.number
	}
	return made, err
}

// takeNumber takes a number for the entry of the audit log, unless the board has one partition, whose script does. A call that is not made then leaves a gap.
func (x *action) takeNumber(ctx context.Context) error {
	if x.b.partitions() == 1 || x.commit.number > 0 {
		return nil
	}
	number, err := x.b.servers.Run(ctx, take, []string{x.b.keys.audit(0)})
	if n, ok := number.(int64); ok {
		x.commit.number = uint64(n)
	}
	return err
}

// mark decides what the standing of the member is to be.
func (x *action) mark(is standing) {
	x.commit.standings = append(x.commit.standings, standingEdit{x.who, is})
}

// change decides what the values in all periods are to be, and the places: fn returns both for a period that has the member. The places of open periods come first.
func (x *action) change(fn func(s *spot) (is value, p auditlog.Place, ok bool)) {
	for _, closed := range []bool{false, true} {
		for i := range x.spots {
			s := &x.spots[i]
			if s.closed != closed {
				continue
			}
			e := edit{t: s.t, slot: s.slot, closed: closed, member: x.member, was: s.was, is: s.was}
			if s.was.hasMember {
				if is, p, ok := fn(s); ok {
					e.is, x.commit.places = is, append(x.commit.places, p)
				}
			}
			x.commit.edits = append(x.commit.edits, e)
		}
	}
}

// standingOf returns the standing of a member.
func (b *Board) standingOf(ctx context.Context, member []byte) (s standing, err error) {
	of := b.standingFields(string(member))
	var marks *redis.SliceCmd
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		marks = pipe.HMGet(ctx, b.keys.standings(partitionOf(member, b.partitions())), of[:]...)
	})
	if err != nil {
		return s, err
	}
	return newStanding(of, marks.Val()), nil
}

package cluster

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/audit"
	"github.com/zrankdb/zrank/board/cluster/internal/commit"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/internal/auditlog"
)

// action is what an operator does about a member: a call that changes all periods, open and closed, by one commit.
type action struct {
	board.Action
	b      *clusterBoard
	kind   audit.Kind
	member []byte
	to     string // the other member of a Rename or Merge
	who    layout.Standing
	spots  []spot              // of the member in all periods
	decide func(*action) error // sets what the values and the standing are to be, and the places
	commit *commit.Commit      // what is decided
	traces []audit.Trace       // that are erased
}

// act makes an action. decide is called again whenever something has changed since it was called. Errors: ErrMember, ErrAction, those of decide, ErrUndecided, those
// of the servers.
func (b *clusterBoard) act(ctx context.Context, kind audit.Kind, member string, a board.Action, decide func(*action) error) (r board.Moderated, err error) {
	if member == "" || len(member) > board.MaxMember {
		return r, board.ErrMember
	}
	if err := a.Validate(kind); err != nil {
		return r, err
	}
	x := &action{Action: a, b: b, kind: kind, member: []byte(member), decide: decide}
	x.commit = &commit.Commit{K: b.keys.PartitionOf(x.member), IsWhole: true}
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
	return board.Moderated{Entry: x.commit.Number, Places: x.commit.Places, Traces: x.traces}, nil
}

// hold makes the submissions of the members wait.
func (x *action) hold(ctx context.Context) error {
	err := x.b.writer.Hold(ctx, x.member, x.b.now())
	if err == nil && x.to != "" {
		err = x.b.writer.Hold(ctx, []byte(x.to), x.b.now())
	}
	return err
}

// try looks at the member, decides, and commits. made is false if something has changed meanwhile. A dry run commits nothing.
func (x *action) try(ctx context.Context) (made bool, err error) {
	if _, err := x.b.closeDue(ctx); err != nil {
		return false, err
	}
	c := x.commit
	c.Now, c.Edits, c.Standings, c.Places = x.b.now(), nil, nil, nil
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
	c.Entry = new(auditlog.New(x.kind, string(x.member), x.Action))
	c.Entry.Done, c.Entry.To, c.Entry.Traces = true, x.to, x.traces
	if x.kind == audit.Erase {
		auditlog.ForgetName(c.Entry, string(x.member), x.b.keys.HashOf(string(x.member)))
	}
	r, err := x.b.writer.Make(ctx, c)
	if made = r.Word == commit.Made; made {
		c.Number = r.Number
	}
	return made, err
}

// takeNumber takes a number for the entry of the audit log, unless the board has one partition, whose script does. A call that is not made then leaves a gap.
func (x *action) takeNumber(ctx context.Context) (err error) {
	if x.b.partitions() > 1 && x.commit.Number == 0 {
		x.commit.Number, err = x.b.writer.TakeNumber(ctx)
	}
	return err
}

// mark decides what the standing of the member is to be.
func (x *action) mark(is layout.Standing) {
	x.commit.Standings = append(x.commit.Standings, commit.StandingEdit{Was: x.who, Is: is})
}

// change decides what the values in all periods are to be, and the places: fn returns both for a period that has the member. The places of open periods come first.
func (x *action) change(fn func(s *spot) (is layout.Value, p board.Place, ok bool)) {
	for _, closed := range []bool{false, true} {
		for i := range x.spots {
			s := &x.spots[i]
			if s.closed != closed {
				continue
			}
			e := commit.Edit{Timeline: s.t, Slot: s.slot, Closed: closed, Member: x.member, Was: s.was, Is: s.was}
			if s.was.HasMember {
				if is, p, ok := fn(s); ok {
					e.Is, x.commit.Places = is, append(x.commit.Places, p)
				}
			}
			x.commit.Edits = append(x.commit.Edits, e)
		}
	}
}

// standingOf returns the standing of a member.
func (b *clusterBoard) standingOf(ctx context.Context, member []byte) (s layout.Standing, err error) {
	of := b.keys.StandingFields(string(member))
	var marks *redis.SliceCmd
	err = b.servers.Ask(ctx, func(pipe redis.Pipeliner) {
		marks = pipe.HMGet(ctx, b.keys.Standings(b.keys.PartitionOf(member)), of[:]...)
	})
	if err != nil {
		return s, err
	}
	return layout.DecodeStanding(of, marks.Val()), nil
}

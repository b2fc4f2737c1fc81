package groups

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
)

// Join makes a member join a group: see board.Groups.Join.
func (k *Kind) Join(member, group string) Change {
	return k.move([]step{{member: member, group: group}}, k.mayJoin)
}

// mayJoin returns ErrInGroup for a member that is in a group.
func (k *Kind) mayJoin(s *step) error {
	if s.was != nil {
		return k.inGroup(s)
	}
	return nil
}

// joinStep is the number of members that join by one commit of JoinAll.
const joinStep = 256

// JoinAll makes many members join groups: see board.Groups.JoinAll.
func (k *Kind) JoinAll(ctx context.Context, list []board.Joining, progress func(done int)) error {
	for done := 0; done < len(list); {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		part := list[done:min(done+joinStep, len(list))]
		steps := make([]step, 0, len(part))
		seen := make(map[string]bool, len(part))
		for i, j := range part {
			if err := k.checkGroup(j.Group); err != nil {
				return fmt.Errorf("member %d of the list: %w", done+i, err)
			}
			if seen[j.Member] {
				return fmt.Errorf("member %d of the list: %w: %q is in the list twice", done+i, board.ErrInGroup, j.Member)
			}
			seen[j.Member] = true
			steps = append(steps, step{member: j.Member, group: j.Group})
		}
		if err := k.Update(ctx, k.move(steps, k.mayJoin)); err != nil {
			return fmt.Errorf("members %d to %d of the list: %w", done, done+len(part)-1, err)
		}
		if done += len(part); progress != nil {
			progress(done)
		}
	}
	return nil
}

// Move takes a member from its group to another one: see board.Groups.Move.
func (k *Kind) Move(member, group string) Change {
	return k.move([]step{{member: member, group: group}}, func(s *step) error {
		switch {
		case s.was == nil:
			return k.notInGroup(s.member)
		case s.was == s.to:
			return k.inGroup(s)
		}
		return nil
	})
}

// Leave makes a member leave its group: see board.Groups.Leave.
func (k *Kind) Leave(member string) Change {
	return k.move([]step{{member: member, leaves: true}}, func(s *step) error {
		if s.was == nil {
			return k.notInGroup(s.member)
		}
		return nil
	})
}

// Group returns the name of the group that a member is in, and false if it is in none.
func (k *Kind) Group(member string) (group string, ok bool) {
	g := k.g.Noted(nil, []byte(member))
	if g == nil {
		return "", false
	}
	return g.Name, true
}

// checkGroup returns an error unless there may be a group with a name.
func (k *Kind) checkGroup(group string) error {
	_, err := k.g.Membership.Group(nil, group)
	return err
}

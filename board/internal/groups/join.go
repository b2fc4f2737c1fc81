package groups

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/membership"
)

// Join makes a member join a group: see board.Groups.Join.
func (k *Kind) Join(ctx context.Context, member, group string) error {
	if err := k.checkGroup(group); err != nil {
		return err
	}
	return k.move(ctx, []step{{member, group}}, k.mayJoin, followMoves)
}

// mayJoin returns ErrInGroup for a member that is in a group.
func (k *Kind) mayJoin(s step, was *membership.Group) error {
	if was != nil {
		return k.inGroup(s.member, was)
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
			steps = append(steps, step{j.Member, j.Group})
		}
		slices.SortFunc(steps, func(a, b step) int { return strings.Compare(a.member, b.member) }) // two calls wait for each other's members in one order
		if err := k.move(ctx, steps, k.mayJoin, followMoves); err != nil {
			return fmt.Errorf("members %d to %d of the list: %w", done, done+len(part)-1, err)
		}
		if done += len(part); progress != nil {
			progress(done)
		}
	}
	return nil
}

// Move takes a member from its group to another one: see board.Groups.Move.
func (k *Kind) Move(ctx context.Context, member, group string) error {
	if err := k.checkGroup(group); err != nil {
		return err
	}
	return k.move(ctx, []step{{member, group}}, func(s step, was *membership.Group) error {
		switch {
		case was == nil:
			return k.notInGroup(s.member)
		case was.Name == s.group:
			return k.inGroup(s.member, was)
		}
		return nil
	}, followMoves)
}

// Leave makes a member leave its group: see board.Groups.Leave.
func (k *Kind) Leave(ctx context.Context, member string) error {
	return k.move(ctx, []step{{member: member}}, func(s step, was *membership.Group) error {
		if was == nil {
			return k.notInGroup(s.member)
		}
		return nil
	}, followMoves)
}

// Group returns the name of the group that a member is in, and false if it is in none. It waits while that is being decided, but not in a closure of the engine.
func (k *Kind) Group(member string) (group string, ok bool) {
	if !k.c.Engine.InTx() {
		k.g.Wait([]byte(member))
	}
	g := k.g.Noted([]byte(member))
	if g == nil {
		return "", false
	}
	return g.Name, true
}

// checkGroup returns an error unless there may be a group with a name.
func (k *Kind) checkGroup(group string) error {
	_, err := k.g.Kind.Group(group)
	return err
}

package boardtest

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board"
)

// parseGroups reads KIND.
func parseGroups(a *args) action {
	kind := a.word("the kind of groups")
	return func(p *player) (string, error) {
		_, err := p.b.DefineGroups(context.Background(), kind)
		return "", err
	}
}

// onGroups makes an action of a call on the groups of a kind.
func onGroups(kind string, call func(p *player, g board.Groups) (string, error)) action {
	return func(p *player) (string, error) {
		g, err := p.b.Groups(context.Background(), kind)
		if err != nil {
			return "", err
		}
		return call(p, g)
	}
}

// parseCreate reads KIND GROUP [meta=TEXT].
func parseCreate(a *args) action {
	kind, group := a.word("the kind of groups"), a.word("the group")
	meta, _ := a.option("meta")
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) {
		return "", g.Create(context.Background(), group, []byte(meta))
	})
}

// parseJoin reads KIND GROUP MEMBER…: several members join at once.
func parseJoin(a *args) action {
	kind, group := a.word("the kind of groups"), a.word("the group")
	members := a.rest()
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) {
		if len(members) == 1 {
			return "", g.Join(context.Background(), members[0], group)
		}
		list := make([]board.Joining, len(members))
		for i, member := range members {
			list[i] = board.Joining{Member: member, Group: group}
		}
		return "", g.JoinAll(context.Background(), list, nil)
	})
}

// parseGo reads KIND GROUP MEMBER: the member goes to another group.
func parseGo(a *args) action {
	kind, group, member := a.word("the kind of groups"), a.word("the group"), a.word("the member")
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) {
		return "", g.Move(context.Background(), member, group)
	})
}

// parseLeave reads KIND MEMBER.
func parseLeave(a *args) action {
	kind, member := a.word("the kind of groups"), a.word("the member")
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) { return "", g.Leave(context.Background(), member) })
}

// parseRenameIn reads KIND MEMBER TO.
func parseRenameIn(a *args) action {
	kind, member, to := a.word("the kind of groups"), a.word("the member"), a.word("the other member")
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) { return "", g.Rename(context.Background(), member, to) })
}

// parseDissolve reads KIND GROUP.
func parseDissolve(a *args) action {
	kind, group := a.word("the kind of groups"), a.word("the group")
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) { return "", g.Dissolve(context.Background(), group) })
}

// parseGroupOf reads KIND MEMBER.
func parseGroupOf(a *args) action {
	kind, member := a.word("the kind of groups"), a.word("the member")
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) {
		group, ok, err := g.Of(context.Background(), member)
		if !ok {
			group = "none"
		}
		return group, err
	})
}

// parseGroupList reads KIND [GROUP]: all groups with their sizes, or the members of one.
func parseGroupList(a *args) action {
	ctx := context.Background()
	kind, rest := a.word("the kind of groups"), a.rest()
	return onGroups(kind, func(_ *player, g board.Groups) (string, error) {
		if len(rest) == 0 {
			all, err := g.All(ctx)
			return list(all, func(i board.GroupInfo) string { return fmt.Sprint(i.Name, " ", i.Members) }), err
		}
		info, err := g.Info(ctx, rest[0])
		if err != nil {
			return "", err
		}
		members, err := g.Members(ctx, rest[0], "", info.Members)
		return strings.TrimSpace(strconv.Quote(string(info.Meta)) + " " + strings.Join(members, " ")), err
	})
}

// parseAmongGroup reads KIND GROUP WINDOW[/PERIOD].
func parseAmongGroup(a *args) action {
	ctx := context.Background()
	kind, group, of := a.word("the kind of groups"), a.word("the group"), a.word("the window")
	return onGroups(kind, func(p *player, g board.Groups) (string, error) {
		b, err := p.current()
		if err != nil {
			return "", err
		}
		window, period, named := strings.Cut(of, "/")
		r, err := b.Live(ctx, window)
		if named {
			r, err = b.Period(ctx, window, period)
		}
		if err != nil {
			return "", err
		}
		rows, err := g.Among(ctx, r, group)
		return list(rows, func(s board.AmongRow) string { return fmt.Sprintf("%d %s %s (%d)", s.Local, s.Member, s.Score, s.Rank) }), err
	})
}

// parseDerived reads BOARD/KIND[/OP[K]][/least=N][/POINTS], the fields of a Derived.
func parseDerived(text string) (*board.Derived, error) {
	parts := strings.Split(text, "/")
	if len(parts) < 2 {
		return nil, fmt.Errorf("%q is not BOARD/KIND", text)
	}
	d := &board.Derived{From: parts[0], Groups: parts[1]}
	for _, part := range parts[2:] {
		switch n, isLeast := strings.CutPrefix(part, "least"); {
		case isLeast:
			least, err := strconv.Atoi(n)
			if err != nil {
				return nil, err
			}
			d.Least = least
		case part == string(board.Stay) || part == string(board.SinceJoining) || part == string(board.Follow):
			d.Points = board.Points(part)
		default:
			op := strings.TrimRight(part, "0123456789")
			d.Op = board.GroupOp(op)
			if k := part[len(op):]; k != "" {
				d.K, _ = strconv.Atoi(k)
			}
		}
	}
	return d, nil
}

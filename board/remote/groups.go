package remote

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// remoteGroups is the groups of one kind of a server.
type remoteGroups struct {
	c    *client
	kind string
}

// DefineGroups is board.Store.DefineGroups.
func (b *Boards) DefineGroups(ctx context.Context, kind string) (board.Groups, error) {
	if err := do(ctx, b.c, ops.DefineKind, ops.OnKind{Kind: kind}); err != nil {
		return nil, err
	}
	return &remoteGroups{b.c, kind}, nil
}

// Groups is board.Store.Groups.
func (b *Boards) Groups(ctx context.Context, kind string) (board.Groups, error) {
	g := &remoteGroups{b.c, kind}
	if _, err := g.All(ctx); err != nil {
		return nil, err
	}
	return g, nil
}

// GroupKinds is board.Store.GroupKinds.
func (b *Boards) GroupKinds(ctx context.Context) ([]string, error) {
	list, err := call(ctx, b.c, ops.ListKinds, ops.NoArgs{})
	return list.Names, err
}

// Kind returns the name of the kind.
func (g *remoteGroups) Kind() string { return g.kind }

// on names the kind, and group one of its groups.
func (g *remoteGroups) on() ops.OnKind { return ops.OnKind{Kind: g.kind} }

func (g *remoteGroups) group(name string) ops.OnGroup {
	return ops.OnGroup{OnKind: g.on(), Group: name}
}

// All is board.Groups.All.
func (g *remoteGroups) All(ctx context.Context) ([]board.GroupInfo, error) {
	all := []board.GroupInfo{}
	args := ops.GroupsArgs{OnKind: g.on()}
	for {
		list, err := call(ctx, g.c, ops.ListGroups, args)
		all = append(all, list.Groups...)
		if err != nil || !list.More {
			return all, err
		}
		args.After = all[len(all)-1].Name
	}
}

// Info is board.Groups.Info.
func (g *remoteGroups) Info(ctx context.Context, name string) (board.GroupInfo, error) {
	return call(ctx, g.c, ops.GetGroup, g.group(name))
}

// Create is board.Groups.Create.
func (g *remoteGroups) Create(ctx context.Context, name string, meta []byte) error {
	args := ops.CreateArgs{OnKind: g.on()}
	args.Body.Group, args.Body.Meta = name, meta
	return do(ctx, g.c, ops.CreateGroup, args)
}

// SetMeta is board.Groups.SetMeta.
func (g *remoteGroups) SetMeta(ctx context.Context, name string, meta []byte) error {
	args := ops.GroupMetaArgs{OnGroup: g.group(name)}
	args.Body.Meta = string(meta)
	return do(ctx, g.c, ops.SetGroupMeta, args)
}

// Dissolve is board.Groups.Dissolve.
func (g *remoteGroups) Dissolve(ctx context.Context, name string) error {
	return do(ctx, g.c, ops.DissolveGroup, g.group(name))
}

// Members is board.Groups.Members.
func (g *remoteGroups) Members(ctx context.Context, name, after string, n int) ([]string, error) {
	list, err := call(ctx, g.c, ops.ListGroupMembers, ops.GroupMembersArgs{OnGroup: g.group(name), After: after, N: n})
	return list.Members, err
}

// Of is board.Groups.Of.
func (g *remoteGroups) Of(ctx context.Context, member string) (group string, ok bool, err error) {
	of, err := call(ctx, g.c, ops.GetGroupOf, ops.KindMemberArgs{OnKind: g.on(), About: ops.About{Member: member}})
	if errors.Is(err, board.ErrNotInGroup) {
		return "", false, nil
	}
	return of.Group, err == nil, err
}

// Among is board.Groups.Among. The ranking must be of the same server.
func (g *remoteGroups) Among(ctx context.Context, k board.Ranking, name string) ([]board.AmongRow, error) {
	r, ok := k.(*ranking)
	if !ok {
		return nil, errors.New("remote: the ranking is not of this server")
	}
	args := ops.AmongGroupArgs{OnGroup: g.group(name), Board: r.info.Board, Window: r.info.Window, Pin: r.pinID, Moded: ops.Moded{Mode: r.mode}}
	if r.fixed {
		args.Period = r.info.Period
	}
	list, err := call(ctx, g.c, ops.AmongGroup, args)
	return list.Rows, err
}

func (g *remoteGroups) joining(member, group string) ops.JoiningArgs {
	return ops.JoiningArgs{OnKind: g.on(), Body: board.Joining{Member: member, Group: group}}
}

// Join is board.Groups.Join.
func (g *remoteGroups) Join(ctx context.Context, member, group string) error {
	return do(ctx, g.c, ops.JoinGroup, g.joining(member, group))
}

// JoinAll is board.Groups.JoinAll, by requests of 1,000.
func (g *remoteGroups) JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error {
	args := ops.JoinAllArgs{OnKind: g.on()}
	for done := 0; done < len(list); {
		args.Body.Joinings = list[done:min(done+rowsAtOnce, len(list))]
		if _, err := call(ctx, g.c, ops.JoinAll, args); err != nil {
			return err
		}
		if done += len(args.Body.Joinings); progress != nil {
			progress(done)
		}
	}
	return nil
}

// Move is board.Groups.Move.
func (g *remoteGroups) Move(ctx context.Context, member, group string) error {
	return do(ctx, g.c, ops.MoveGroup, g.joining(member, group))
}

// Leave is board.Groups.Leave.
func (g *remoteGroups) Leave(ctx context.Context, member string) error {
	args := ops.LeaveArgs{OnKind: g.on()}
	args.Body.Member = member
	return do(ctx, g.c, ops.LeaveGroup, args)
}

// Rename is board.Groups.Rename.
func (g *remoteGroups) Rename(ctx context.Context, member, to string) error {
	args := ops.GroupRenameArgs{OnKind: g.on()}
	args.Body.Member, args.Body.To = member, to
	return do(ctx, g.c, ops.RenameInGroup, args)
}

package ops

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
)

// OnKind is an operation on groups of a kind.
type OnKind struct {
	Kind string `path:"kind" doc:"The kind of the groups, such as guild."`
}

// KindName returns the name of the kind.
func (p OnKind) KindName() string { return p.Kind }

// OnGroup is an operation on a group.
type OnGroup struct {
	OnKind
	Group string `query:"group,text" required:"true" doc:"The name of the group."`
}

// GroupsList is groups of a kind.
type GroupsList struct {
	Groups []board.GroupInfo `json:"groups" doc:"In the order of their names."`
	More   bool              `json:"more,omitempty" doc:"There are more: ask again with after set to the last one."`
}

// MembersOf is members of a group.
type MembersOf struct {
	Members []string `json:"members,text" doc:"In the order of their names."`
	More    bool     `json:"more" doc:"There may be more: ask again with after set to the last one."`
}

// GroupOf is the group of a member.
type GroupOf struct {
	Group string `json:"group,text"`
}

// GroupsArgs selects groups of a kind.
type GroupsArgs struct {
	OnKind
	After string `query:"after,text" doc:"Groups whose names sort behind this one."`
	N     *int   `query:"n" minimum:"0" doc:"How many at most. Absent: as many as an answer may have."`
}

// CreateArgs is a new group.
type CreateArgs struct {
	OnKind
	Body struct {
		Group string `json:"group,text"`
		Meta  []byte `json:"meta,omitzero" doc:"Metadata, at most 64 KiB."`
	}
}

// GroupMetaArgs is metadata of a group.
type GroupMetaArgs struct {
	OnGroup
	Body struct {
		Meta string `json:"meta,text" doc:"Empty: none."`
	}
}

// GroupMembersArgs selects members of a group.
type GroupMembersArgs struct {
	OnGroup
	After string `query:"after,text" doc:"Names behind this one."`
	N     int    `query:"n" default:"100" minimum:"0" doc:"How many at most."`
}

// AmongGroupArgs is a group, and a ranking of which its members are asked for.
type AmongGroupArgs struct {
	OnGroup
	Board  string    `query:"board" required:"true" doc:"The name of the board."`
	Window string    `query:"window" required:"true" doc:"The name of the window."`
	Period string    `query:"period" doc:"The name of a period; absent: the live one."`
	AsOf   time.Time `query:"asOf" doc:"The ranking as it was at a time, on a board with a journal."`
	Row    *uint64   `query:"row" doc:"The ranking of the period as it was after the row of the journal with this number."`
	Pin    string    `query:"pin" doc:"The id of a pinned ranking, in place of board and window."`
	Moded
}

// BoardName returns the name of the board.
func (a *AmongGroupArgs) BoardName() string { return a.Board }

// WindowName returns the name of the window.
func (a *AmongGroupArgs) WindowName() string { return a.Window }

// KindMemberArgs is a member of a group of a kind.
type KindMemberArgs struct {
	OnKind
	About
}

// JoiningArgs is a member and a group.
type JoiningArgs struct {
	OnKind
	Body board.Joining
}

// LeaveArgs is a member of a group.
type LeaveArgs struct {
	OnKind
	Body struct {
		Member string `json:"member,text"`
	}
}

// GroupRenameArgs is a member of a group, and another one.
type GroupRenameArgs struct {
	OnKind
	Body struct {
		Member string `json:"member,text"`
		To     string `json:"to,text"`
	}
}

// JoinAllArgs is members that join groups.
type JoinAllArgs struct {
	OnKind
	Body struct {
		Joinings []board.Joining `json:"joinings"`
	}
}

// Operations on groups. Those that change who is in which group need the right to submit on all boards.
var (
	// ListKinds is board.Store.GroupKinds.
	ListKinds = onStore(Op{ID: "listKinds", Route: "GET /groups",
		Command: "GROUP.LIST", Cost: "O(K) for K kinds", Heading: "Groups", Summary: "The kinds of groups"},
		func(ctx context.Context, e *Env, _ *NoArgs) (Names, error) { return namesOf(e.Boards.GroupKinds(ctx)) })
	// DefineKind is board.Store.DefineGroups.
	DefineKind = onStore(Op{ID: "defineKind", Route: "PUT /groups/{kind}",
		Command: "GROUP.DEFINE kind", Cost: "O(1)", Heading: "Groups", Right: ToAdminister,
		Summary: "Defines a kind of groups, or does nothing if there is one"},
		func(ctx context.Context, e *Env, a *OnKind) (None, error) {
			_, err := e.Boards.DefineGroups(ctx, a.Kind)
			return None{}, err
		})
	// ListGroups is board.Store.Groups and board.Groups.All.
	ListGroups = onKind(Op{ID: "listGroups", Route: "GET /groups/{kind}",
		Command: "GROUP.LIST kind [AFTER after] [COUNT n]", Cost: "O(G*log(N)) for G groups of N members", Summary: "The groups of a kind"}, listGroups)
	// GetGroup is board.Groups.Info.
	GetGroup = onKind(Op{ID: "getGroup", Route: "GET /groups/{kind}/group",
		Command: "GROUP.INFO kind group", Cost: "O(log(N)) for N members of all groups", Summary: "A group"},
		func(ctx context.Context, e *Env, g board.Groups, a *OnGroup) (board.GroupInfo, error) {
			return g.Info(ctx, a.Group)
		})
	// CreateGroup is board.Groups.Create.
	CreateGroup = onKind(Op{ID: "createGroup", Route: "POST /groups/{kind}/group",
		Command: "GROUP.CREATE kind group [META meta]", Cost: "O(1)", Right: ToSubmit, Summary: "Makes a group without members"},
		func(ctx context.Context, e *Env, g board.Groups, a *CreateArgs) (None, error) {
			return None{}, g.Create(ctx, a.Body.Group, a.Body.Meta)
		})
	// DissolveGroup is board.Groups.Dissolve.
	DissolveGroup = onKind(Op{ID: "dissolveGroup", Route: "DELETE /groups/{kind}/group",
		Command: "GROUP.DISSOLVE kind group", Cost: "O(M*log(N)) for M members", Right: ToSubmit, Summary: "Removes a group"},
		func(ctx context.Context, e *Env, g board.Groups, a *OnGroup) (None, error) {
			return None{}, g.Dissolve(ctx, a.Group)
		})
	// SetGroupMeta is board.Groups.SetMeta.
	SetGroupMeta = onKind(Op{ID: "setGroupMeta", Route: "PUT /groups/{kind}/group/meta",
		Command: "GROUP.SETMETA kind group meta", Cost: "O(1)", Right: ToSubmit, Summary: "Replaces the metadata of a group"},
		func(ctx context.Context, e *Env, g board.Groups, a *GroupMetaArgs) (None, error) {
			return None{}, g.SetMeta(ctx, a.Group, []byte(a.Body.Meta))
		})
	// ListGroupMembers is board.Groups.Members.
	ListGroupMembers = onKind(Op{ID: "listGroupMembers", Route: "GET /groups/{kind}/group/members",
		Command: "GROUP.MEMBERS kind group [AFTER after] [COUNT n]", Cost: "O(log(N)+M) for M members", Summary: "The members of a group"},
		func(ctx context.Context, e *Env, g board.Groups, a *GroupMembersArgs) (o MembersOf, err error) {
			if err := e.rows(a.N); err != nil {
				return o, err
			}
			o.Members, err = g.Members(ctx, a.Group, a.After, a.N)
			o.More = len(o.Members) == a.N && a.N > 0
			return o, err
		})
	// AmongGroup is board.Groups.Among.
	AmongGroup = onKind(Op{ID: "amongGroup", Route: "GET /groups/{kind}/group/among",
		Command: "GROUP.AMONG kind group board window [PERIOD period] [ASOF asOf] [MODE mode] [META=meta]", Cost: "O(M*log(N)) for M members of the group",
		Summary: "The members of a group among themselves, in a ranking"}, amongGroup)
	// GetGroupOf is board.Groups.Of.
	GetGroupOf = onKind(Op{ID: "getGroupOf", Route: "GET /groups/{kind}/of",
		Command: "GROUP.OF kind member", Cost: "O(1)", Own: true, Summary: "The group that a member is in"},
		func(ctx context.Context, e *Env, g board.Groups, a *KindMemberArgs) (o GroupOf, err error) {
			group, ok, err := g.Of(ctx, a.Member)
			if err == nil && !ok {
				err = fmt.Errorf("%w: %q is in no %s", board.ErrNotInGroup, a.Member, a.Kind)
			}
			return GroupOf{group}, err
		})
	// JoinGroup is board.Groups.Join.
	JoinGroup = joining("join", "A member joins a group", board.Groups.Join)
	// MoveGroup is board.Groups.Move.
	MoveGroup = joining("move", "A member goes from its group to another one, by one commit", board.Groups.Move)
	// LeaveGroup is board.Groups.Leave.
	LeaveGroup = onKind(Op{ID: "leaveGroup", Route: "POST /groups/{kind}/leave",
		Command: "GROUP.LEAVE kind member", Cost: "O(W*log(G)) for W windows of boards of G groups", Right: ToSubmit, Summary: "A member leaves its group"},
		func(ctx context.Context, e *Env, g board.Groups, a *LeaveArgs) (None, error) {
			return None{}, g.Leave(ctx, a.Body.Member)
		})
	// RenameInGroup is board.Groups.Rename.
	RenameInGroup = onKind(Op{ID: "renameInGroup", Route: "POST /groups/{kind}/rename",
		Command: "GROUP.RENAME kind member to", Cost: "O(W*log(G)) for W windows of boards of G groups", Right: ToSubmit,
		Summary: "Gives a member's place in its group to another member"},
		func(ctx context.Context, e *Env, g board.Groups, a *GroupRenameArgs) (None, error) {
			return None{}, g.Rename(ctx, a.Body.Member, a.Body.To)
		})
	// JoinAll is board.Groups.JoinAll.
	JoinAll = onKind(Op{ID: "joinAll", Route: "POST /groups/{kind}/join-all", Right: ToSubmit, Summary: "Many members join groups, 256 in each commit"},
		func(ctx context.Context, e *Env, g board.Groups, a *JoinAllArgs) (o Number, err error) {
			if err = e.rows(len(a.Body.Joinings)); err == nil {
				err = g.JoinAll(ctx, a.Body.Joinings, func(joined int) { o.N = joined })
			}
			return o, err
		})
)

// joining returns an operation on a member and a group.
func joining(name, summary string, change func(g board.Groups, ctx context.Context, member, group string) error) Typed[JoiningArgs, None] {
	return onKind(Op{ID: name + "Group", Route: "POST /groups/{kind}/" + name, Right: ToSubmit, Summary: summary,
		Command: "GROUP." + strings.ToUpper(name) + " kind member group", Cost: "O(W*log(G)) for W windows of boards of G groups"},
		func(ctx context.Context, e *Env, g board.Groups, a *JoiningArgs) (None, error) {
			return None{}, change(g, ctx, a.Body.Member, a.Body.Group)
		})
}

func listGroups(ctx context.Context, e *Env, g board.Groups, a *GroupsArgs) (o GroupsList, err error) {
	most := e.room().most
	if a.N != nil {
		most = *a.N
	}
	if err := e.rows(most); err != nil {
		return o, err
	}
	all, err := g.All(ctx)
	if err != nil {
		return o, err
	}
	all = all[sort.Search(len(all), func(i int) bool { return all[i].Name > a.After }):]
	n := min(most, len(all))
	o.Groups, o.More = all[:n], len(all) > n
	return o, nil
}

func amongGroup(ctx context.Context, e *Env, g board.Groups, a *AmongGroupArgs) (o Standings, err error) {
	var k board.Ranking
	if a.Pin != "" {
		if k, err = e.pinned(ctx, a.Pin); err == nil {
			k = k.By(a.Mode)
		}
	} else {
		k, err = (&Locator{OnWindow: OnWindow{OnBoard{a.Board}, a.Window}, Period: a.Period, AsOf: a.AsOf, Row: a.Row, Moded: a.Moded}).Ranking(ctx, e)
	}
	if err != nil {
		return o, err
	}
	of, err := g.Info(ctx, a.Group)
	if err == nil {
		err = e.RowsIn(ctx, k, of.Members)
	}
	if err == nil {
		o.Rows, err = g.Among(ctx, k, a.Group)
	}
	return o, err
}

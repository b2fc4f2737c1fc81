package board

import (
	"context"
	"time"
)

// GroupInfo describes a group.
type GroupInfo struct {
	Name    string    `json:"name,text"`     // the group's name
	Members int       `json:"members"`       // who are in it, with a score or not
	Created time.Time `json:"created"`       // to the microsecond
	Meta    []byte    `json:"meta,omitzero"` // nil: none
}

// Joining is a Member that joins a Group.
type Joining struct {
	Member string `json:"member,text"` // who joins
	Group  string `json:"group,text"`  // the name of the group
}

// Groups is a kind of groups: guilds, or countries.
type Groups interface {
	// Kind returns the name of the kind.
	Kind() string
	// All describes all groups, in the order of their names and without metadata. O(groups log
	// members).
	All(ctx context.Context) ([]GroupInfo, error)
	// Info describes a group. O(log members).
	Info(ctx context.Context, group string) (GroupInfo, error)
	// Create makes a group without members. Its name is 1 to MaxMember bytes; metadata is at most 64
	// KiB.
	Create(ctx context.Context, group string, meta []byte) error
	// SetMeta replaces the metadata of a group; empty metadata removes it.
	SetMeta(ctx context.Context, group string, meta []byte) error
	// Dissolve removes a group: its members are in none, and it leaves the open periods of all boards,
	// by one commit that does not depend on their number. Closed periods keep the group.
	Dissolve(ctx context.Context, group string) error
	// Members returns up to n members of a group whose names sort after the given one, in order; ""
	// begins with the first. O(log members + n).
	Members(ctx context.Context, group, after string, n int) ([]string, error)
	// Of returns the group that a member is in, and false if it is in none. O(1). Error: that of ctx.
	Of(ctx context.Context, member string) (group string, ok bool, err error)
	// Among returns the members of a group that a ranking has, best first, with ranks among themselves
	// and in the whole ranking: see Ranking.Among. It has no copy of them. O(members of the group log
	// n).
	Among(ctx context.Context, r Ranking, group string) ([]AmongRow, error)
	// Join makes a member join a group. Boards of such groups have its points, as their Points say, by
	// the same commit. O(boards windows log groups); with GroupBest and GroupBestOf also O(members of
	// the group).
	Join(ctx context.Context, member, group string) error
	// JoinAll makes many members join groups, 256 in each commit, in the order of the list. Unless
	// progress is nil it is called with the number of members that have joined. After an error those
	// have joined of which progress was told. Errors: those of Join, with the position in the list;
	// that of ctx.
	JoinAll(ctx context.Context, list []Joining, progress func(joined int)) error
	// Move takes a member from its group to another one, by one commit. Errors: those of Join;
	// ErrNotInGroup if it is in none.
	Move(ctx context.Context, member, group string) error
	// Leave makes a member leave its group. Errors: those of Join; ErrNotInGroup if it is in none.
	Leave(ctx context.Context, member string) error
	// Rename gives a member's place in its group to another member, which is in none: the same player
	// under another name. Points that the first has left to groups, and those since joining, are those
	// of the other one from then on. Errors: those of Join; ErrNotInGroup if the first is in none.
	Rename(ctx context.Context, member, to string) error
}

// Grouper has kinds of groups.
type Grouper interface {
	// DefineGroups returns the groups of a kind, and makes the kind if there is none. Its name is 1 to
	// 255 bytes of UTF-8 without control characters.
	DefineGroups(ctx context.Context, kind string) (Groups, error)
	// Groups returns the groups of a kind. O(1).
	Groups(ctx context.Context, kind string) (Groups, error)
	// GroupKinds returns the names of the kinds of groups, in order. O(kinds log kinds). Error: that
	// of ctx.
	GroupKinds(ctx context.Context) ([]string, error)
}

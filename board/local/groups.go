package local

import (
	"context"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/board/internal/moderation"
)

// localGroups is the board.Groups of an engine. Its methods may be called from any goroutine.
type localGroups groups.Kind

func (g *localGroups) core() *groups.Kind { return (*groups.Kind)(g) }

// publicGroups returns groups with the methods of this package.
func publicGroups(k *groups.Kind, err error) (board.Groups, error) {
	if err != nil {
		return nil, err
	}
	return (*localGroups)(k), nil
}

// change makes a change in a transaction of its own.
func (g *localGroups) change(ctx context.Context, c groups.Change) error {
	return g.core().Update(ctx, c)
}

// DefineGroups returns the groups of a kind, and makes the kind if there is none. Its name is 1 to 255 bytes of UTF-8 without control characters. Errors: ErrGroups;
// ErrClosed, those of the engine.
func (bs *Boards) DefineGroups(ctx context.Context, kind string) (board.Groups, error) {
	return publicGroups(groups.Define(ctx, bs.catalog, kind))
}

// Groups returns the groups of a kind. O(1). Errors: ErrNoGroups, ErrClosed.
func (bs *Boards) Groups(ctx context.Context, kind string) (board.Groups, error) {
	return publicGroups(groups.Of(bs.catalog, kind))
}

// GroupKinds returns the names of the kinds of groups, in order. O(kinds log kinds). Error: that of ctx.
func (bs *Boards) GroupKinds(ctx context.Context) ([]string, error) {
	return groups.Kinds(bs.catalog), ctx.Err()
}

// Kind returns the name of the kind.
func (g *localGroups) Kind() string { return g.core().Name() }

// Create makes a group without members. Its name is 1 to MaxMember bytes; metadata is at most 64 KiB. Errors: ErrGroups, ErrMeta; ErrGroupExists; ErrClosed,
// those of the engine.
func (g *localGroups) Create(ctx context.Context, group string, meta []byte) error {
	return g.change(ctx, g.core().Create(group, meta))
}

// SetMeta replaces the metadata of a group; empty metadata removes it. Errors: ErrNoGroup, ErrMeta, ErrClosed, those of the engine.
func (g *localGroups) SetMeta(ctx context.Context, group string, meta []byte) error {
	return g.change(ctx, g.core().SetMeta(group, meta))
}

// Info describes a group. O(log members). Errors: ErrNoGroup, those of the engine.
func (g *localGroups) Info(ctx context.Context, group string) (board.GroupInfo, error) {
	return g.core().Info(group)
}

// All describes all groups, in the order of their names and without metadata. O(groups log members).
func (g *localGroups) All(ctx context.Context) ([]board.GroupInfo, error) {
	return g.core().All(), ctx.Err()
}

// Members returns up to n members of a group whose names sort after the given one, in order; "" begins with the first. O(log members + n). Errors: ErrNoGroup,
// ErrCount.
func (g *localGroups) Members(ctx context.Context, group, after string, n int) ([]string, error) {
	return g.core().Members(group, after, n)
}

// Of returns the group that a member is in, and false if it is in none. O(1). Error: that of ctx.
func (g *localGroups) Of(ctx context.Context, member string) (group string, ok bool, err error) {
	group, ok = g.core().Group(member)
	return group, ok, ctx.Err()
}

// Among returns the members of a group that a ranking has, best first, with ranks among themselves and in the whole ranking: see Ranking.Among. It has no copy of them.
// O(members of the group log n). Errors: ErrNoGroup, those of the ranking.
func (g *localGroups) Among(ctx context.Context, r board.Ranking, group string) ([]board.AmongRow, error) {
	return g.core().Among(ctx, r, group)
}

// Join makes a member join a group. Boards of such groups have its points, as their Points say, by the same commit. O(boards windows log groups); with GroupBest and
// GroupBestOf also O(members of the group). Errors: ErrMember, ErrNoGroup; ErrInGroup if it is in a group; a *ScoreError if the score of the group would
// be out of range; ErrClosed, engine.ErrInTx, those of the engine.
func (g *localGroups) Join(ctx context.Context, member, group string) error {
	return g.change(ctx, g.core().Join(member, group))
}

// JoinAll makes many members join groups, 256 in each commit, in the order of the list. Unless progress is nil it is called with the number of members that have joined.
// After an error those have joined of which progress was told. Errors: those of Join, with the position in the list; that of ctx.
func (g *localGroups) JoinAll(ctx context.Context, list []board.Joining, progress func(joined int)) error {
	return g.core().JoinAll(ctx, list, progress)
}

// Move takes a member from its group to another one, by one commit. Errors: those of Join; ErrNotInGroup if it is in none.
func (g *localGroups) Move(ctx context.Context, member, group string) error {
	return g.change(ctx, g.core().Move(member, group))
}

// Leave makes a member leave its group. Errors: those of Join; ErrNotInGroup if it is in none.
func (g *localGroups) Leave(ctx context.Context, member string) error {
	return g.change(ctx, g.core().Leave(member))
}

// Rename gives a member's place in its group to another member, which is in none: the same player under another name. Points that the first has left to groups, and
// those since joining, are those of the other one from then on. Call Board.Rename for each board too, before or after it: until then the boards of groups lack the
// results of the member. Errors: those of Join; ErrNotInGroup if the first is in none.
func (g *localGroups) Rename(ctx context.Context, member, to string) error {
	return g.change(ctx, g.core().Rename(member, to))
}

// Dissolve removes a group: its members are in none, and it leaves the open periods of all boards, by one commit that does not depend on their number. Then what is stored of
// the members goes, 256 in each commit; after an error or a crash that is done when the boards are opened again. Closed periods keep the group. Errors: ErrNoGroup;
// that of ctx, ErrClosed, engine.ErrInTx, those of the engine.
func (g *localGroups) Dissolve(ctx context.Context, group string) error {
	return g.core().Dissolve(ctx, group)
}

// Rebuild computes the scores of all groups of a derived board in open periods from those of their members, and returns how many were others. That should be none: Boards.Check
// tells. Submissions of a period wait while it is computed. O(members). Errors: ErrNotDerived; that of ctx, ErrClosed, ErrNoBoard, those of the engine.
func (b *localBoard) Rebuild(ctx context.Context) (corrected int, err error) {
	return groups.Rebuild(ctx, b.core())
}

// RebuildPeriod computes the scores of the groups of a derived board in a closed period again, from the closed ranking of the members that they had then, and returns how many were others:
// Boards.Check tells which. Nobody knows who was in which group when an earlier version closed a period, or another store from which the board has come. There it counts those who are in it now: call it
// if you know that nobody has joined or left since, or none that matters. Boards.Check tells in its Notes which of these periods have other scores. There a group that was dissolved keeps its score,
// and one that was made since gets none.
//
// Awards that were given stay as they are: call Resettle. Boards that follow this one follow. Joins and closings wait meanwhile. O(members).
// Errors: ErrNotDerived; ErrNoWindow; ErrNoPeriod if nobody was ranked in it, or it is not kept any more, there or on the board that is followed; ErrPeriodOpen: call Rebuild; a *ScoreError; that of
// ctx, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *localBoard) RebuildPeriod(ctx context.Context, window, period string) (corrected int, err error) {
	return moderation.RebuildPeriod(ctx, b.core(), window, period)
}

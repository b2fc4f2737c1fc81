package local

import (
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/groups"
	"github.com/zrankdb/zrank/engine"
)

// GroupsInTx is the groups of a kind in a transaction of their engine. It is for the closure of the transaction, in that goroutine only.
//
// What a call reads or changes it locks: members, groups, and the sets of derived boards. So what the transaction has read of groups stays as it is until the
// transaction ends. If one of these is not free, or there are other sets by now (a period has begun, a part was split, a board was migrated), the call returns
// engine.ErrRestart, and the engine runs the closure again. Calls see what the transaction has changed before, and so do boards in it: see Boards.In. The time is Tx.Now.
//
// After an error of package board other than a *board.ScoreError the transaction is as it was before the call, and may continue. After a *board.ScoreError it ends with that, whatever
// the closure returns. In a View each call that changes something returns engine.ErrReadOnly.
type GroupsInTx struct {
	k  *groups.Kind
	in groups.InTx
}

// GroupsIn returns the groups of a kind as part of a transaction of their engine. Groups, boards, and the caller's own sets and private keys then change together or not at all. O(1).
// Errors: ErrNoGroups, ErrClosed.
func (bs *Boards) GroupsIn(tx *engine.Tx, kind string) (GroupsInTx, error) {
	k, err := groups.Of(bs.catalog, kind)
	if err != nil {
		return GroupsInTx{}, err
	}
	return GroupsInTx{k, k.In(tx)}, nil
}

// Create is board.Groups.Create in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Create(group string, meta []byte) error {
	return t.in.Make(t.k.Create(group, meta))
}

// SetMeta is board.Groups.SetMeta in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) SetMeta(group string, meta []byte) error {
	return t.in.Make(t.k.SetMeta(group, meta))
}

// Dissolve is board.Groups.Dissolve in the transaction, whose cost does not depend on the number of members. What is stored of them goes after the commit, in the background, or when the
// boards are opened again. Errors: ErrNoGroup, and those of GroupsInTx.
func (t GroupsInTx) Dissolve(group string) error { return t.in.Dissolve(group) }

// Join is board.Groups.Join in the transaction. What the member submits in it from then on counts for the group. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Join(member, group string) error { return t.in.Make(t.k.Join(member, group)) }

// Move is board.Groups.Move in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Move(member, group string) error { return t.in.Make(t.k.Move(member, group)) }

// Leave is board.Groups.Leave in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Leave(member string) error { return t.in.Make(t.k.Leave(member)) }

// Of is board.Groups.Of in the transaction. Errors: those of GroupsInTx.
func (t GroupsInTx) Of(member string) (group string, ok bool, err error) { return t.in.Of(member) }

// Info is board.Groups.Info in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Info(group string) (board.GroupInfo, error) { return t.in.Info(group) }

// Members is board.Groups.Members in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Members(group, after string, n int) ([]string, error) {
	return t.in.Members(group, after, n)
}

// Among is board.Groups.Among in the transaction. Errors: as there, and those of GroupsInTx.
func (t GroupsInTx) Among(r board.Ranking, group string) ([]board.AmongRow, error) {
	return t.in.Among(r, group)
}

package zrank

import (
	"context"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// Tx is a transaction over boards, groups, sorted sets and private keys: see engine.Tx for the sets and keys. It is for the closure that it is given to, in that
// goroutine only.
type Tx struct {
	*engine.Tx
	boards *local.Boards
}

// Board returns a board in the transaction. O(1). Errors: board.ErrNoBoard, board.ErrClosed.
func (tx *Tx) Board(name string) (local.InTx, error) {
	return tx.boards.In(tx.Tx, name)
}

// Groups returns the groups of a kind in the transaction. O(1). Errors: board.ErrNoGroups, board.ErrClosed.
func (tx *Tx) Groups(kind string) (local.GroupsInTx, error) {
	return tx.boards.GroupsIn(tx.Tx, kind)
}

// Update runs fn as one transaction, and returns when its commit is as durable as engine.Options.Durability says. If fn returns an error or panics, nothing has
// changed. What fn asks for is locked there and then, after a wait perhaps. If that cannot be, since it is not free, is on the disk only, or a board needs other sets by then, the call returns
// engine.ErrRestart, and fn is called again from its beginning: so fn may run more than once, and must have no effects outside. It works with the Tx only: calls
// of the DB inside fn return engine.ErrInTx. Errors: those of fn and of engine.Engine.Update.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	return db.engine.Update(ctx, func(tx *engine.Tx) error { return fn(&Tx{tx, db.boards}) })
}

// View runs fn on everything as it is at one moment. fn may run more than once, as in Update. Errors: those of fn and of engine.Engine.View.
func (db *DB) View(ctx context.Context, fn func(*Tx) error) error {
	return db.engine.View(ctx, func(tx *engine.Tx) error { return fn(&Tx{tx, db.boards}) })
}

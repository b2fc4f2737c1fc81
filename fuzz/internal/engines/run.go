package engines

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

var errRollback = errors.New("fuzz: rollback")

// Run runs a block as a transaction, or as a View if it only reads. An operation alone that is a call of the engine or of a board is not
// inside a transaction, but for claim, which also changes a private key. Before an operation on boards all closed periods are settled.
func (m *Machine) Run(b script.Block) (replies []string, err error) {
	m.before = m.dir
	if err := m.on.settleDue(b); err != nil {
		return nil, err
	}
	if b.End == "" && b.Ops[0].Is(script.Whole) && b.Ops[0].Is(script.Alone) {
		m.safe = m.disk == nil || m.group == 0 && m.keepsAcknowledged()
		return []string{callOn(m.Engine, b.Ops[0])}, nil
	}
	if b.End == "" && b.Ops[0].Is(script.OnBoard) && b.Ops[0].Kind != "claim" {
		m.safe = m.safe && (b.ReadOnly() || m.keepsAcknowledged())
		return []string{apply.BoardOp(m.on, b.Ops[0])}, nil
	}
	defer func() { // the engine passes on the closure's panic
		if r := recover(); r != nil && r != any(errRollback) {
			panic(r)
		}
	}()
	err = m.try(b, &replies)
	if b.RolledBack() && errors.Is(err, errRollback) {
		err = nil
	}
	return replies, err
}

// try runs the transaction of a block, and sets the replies, which a panic leaves. The closure runs again while a board wants that.
func (m *Machine) try(b script.Block, replies *[]string) error {
	var keys []string
	for _, op := range b.Ops {
		if keys = append(keys, op.Keys()...); op.Is(script.OnBoard) {
			keys = m.on.keysOf(keys, op)
		}
	}
	return m.transact(b, keys, func(tx *engine.Tx) error {
		*replies = nil
		for _, op := range b.Ops {
			*replies = append(*replies, apply.Op(txState{tx, m.on}, op))
		}
		if err := m.callInside(keys); err != nil {
			return err
		}
		_, _, restarts := tx.Get("probe") // nothing works any more if an operation made the transaction restart
		switch {
		case m.on.hasMoved() || errors.Is(restarts, engine.ErrRestart):
			return engine.ErrRestart
		case b.End == "panic":
			panic(errRollback)
		case b.RolledBack():
			return errRollback
		}
		return nil
	})
}

// callInside calls the engine inside a transaction. The engine must refuse the calls.
func (m *Machine) callInside(keys []string) error {
	if _, err := m.Engine.Delete(context.Background(), keys...); !errors.Is(err, engine.ErrInTx) {
		return fmt.Errorf("fuzz: Delete inside a transaction answers %v", err)
	}
	if _, err := m.Engine.Keys(""); !errors.Is(err, engine.ErrInTx) {
		return fmt.Errorf("fuzz: Keys inside a transaction answers %v", err)
	}
	return nil
}

// transact runs a transaction. It acknowledges a group of them when the group is full.
func (m *Machine) transact(b script.Block, keys []string, fn func(*engine.Tx) error) error {
	ctx := context.Background()
	if b.ReadOnly() && !b.RolledBack() {
		return m.Engine.View(ctx, fn, keys...)
	}
	if m.group == 0 {
		err := m.Engine.Update(ctx, fn, keys...)
		m.Acknowledged()
		return err
	}
	seq, err := m.Engine.UpdateLater(ctx, fn, keys...)
	m.last, m.safe = max(m.last, seq), m.disk == nil
	if m.waiting++; err != nil || m.waiting < m.group {
		return err
	}
	m.waiting = 0
	err = m.Engine.Acknowledge(ctx, m.last)
	m.Acknowledged()
	return err
}

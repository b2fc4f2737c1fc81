package fuzz

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// engineMachine is an engine in memory, or on a disk.
type engineMachine struct {
	e       *engine.Engine
	options engine.Options
	disk    *disk    // nil: memory only
	group   int      // blocks that are acknowledged together; 0: each by itself
	waiting int      // of those, not yet
	last    uint64   // the number of the last of them
	safe    bool     // nothing that is committed may be lost
	clock   *clock   // F7
	dir     string   // where it is stored
	before  string   // where it was before the last operation
	dirs    int      // that there have been
	olds    []string // those that are not needed any more after the last operation
	left    int      // sets that have left memory, before the engine was last opened
	layered bool     // with boards on top
	on      *boardsOn
}

// newEngine makes a machine of an engine, on a disk of its own if it has one.
func newEngine(o engine.Options, d *disk, group int) (machine, error) {
	m := engineOn(o, d, group)
	return m, m.open()
}

// engineOn returns a machine that is not open yet.
func engineOn(o engine.Options, d *disk, group int) *engineMachine {
	m := &engineMachine{options: o, disk: d, group: group, safe: true, clock: &clock{}}
	if d != nil {
		m.dir = d.path()
	}
	m.options.Clock = m.clock.now
	return m
}

// open opens the engine; if that fails, the machine has the one that is closed.
func (m *engineMachine) open() (err error) {
	var e *engine.Engine
	if m.disk == nil {
		e, err = engine.New(m.options)
	} else {
		m.options.FS, m.waiting, m.last, m.safe = m.disk.fs(), 0, 0, true
		e, err = engine.Open(m.dir, m.options)
	}
	if err != nil {
		return err
	}
	if m.e = e; m.layered {
		m.on, err = openBoards(m.e)
	}
	return err
}

var errRollback = errors.New("fuzz: rollback")

// run makes a transaction of a block; one that only reads is a View.
func (m *engineMachine) run(b block) (replies []string, err error) {
	m.before = m.dir
	if op := b.ops; b.end == "" && op[0].is(whole) && op[0].is(alone) {
		m.safe = m.disk == nil || m.group == 0 && m.options.Durability == engine.Sync
		return []string{callOn(m.e, op[0])}, nil
	}
	if b.end == "" && b.ops[0].is(onBoard) {
		m.safe = m.safe && (b.reads() || m.disk == nil || m.options.Durability == engine.Sync)
		return []string{applyBoard(m.on, b.ops[0])}, nil
	}
	var keys []string
	for _, op := range b.ops {
		if keys = append(keys, op.keys()...); op.is(onBoard) {
			keys = m.on.keysOf(keys, op)
		}
	}
	defer func() {
		if r := recover(); r != nil && r != any(errRollback) {
			panic(r)
		}
	}()
	err = m.transact(b, keys, func(tx *engine.Tx) error {
		replies = nil
		for _, op := range b.ops {
			replies = append(replies, apply(txState{tx, m.on}, op))
		}
		if err := m.callInside(keys); err != nil {
			return err
		}
		switch {
		case b.end == "panic":
			panic(errRollback)
		case b.rolledBack():
			return errRollback
		}
		return nil
	})
	if b.rolledBack() && errors.Is(err, errRollback) {
		err = nil
	}
	return replies, err
}

// callInside calls the engine inside a transaction, which must be refused and change nothing.
func (m *engineMachine) callInside(keys []string) error {
	if _, err := m.e.Delete(keys...); !errors.Is(err, engine.ErrInTx) {
		return fmt.Errorf("fuzz: Delete inside a transaction answers %v", err)
	}
	if _, err := m.e.Keys(""); !errors.Is(err, engine.ErrInTx) {
		return fmt.Errorf("fuzz: Keys inside a transaction answers %v", err)
	}
	return nil
}

// transact runs a transaction, and acknowledges a group when it is full.
func (m *engineMachine) transact(b block, keys []string, fn func(*engine.Tx) error) error {
	if b.end == "" && b.reads() {
		return m.e.View(keys, fn)
	}
	sync := m.options.Durability == engine.Sync
	if m.group == 0 {
		err := m.e.Update(keys, fn)
		m.safe = m.disk == nil || sync
		return err
	}
	seq, err := m.e.UpdateLater(keys, fn)
	m.last, m.safe = max(m.last, seq), m.disk == nil
	if m.waiting++; err != nil || m.waiting < m.group {
		return err
	}
	m.waiting = 0
	err = m.e.Acknowledge(m.last)
	m.safe = m.safe || sync
	return err
}

func (m *engineMachine) keys() ([]string, error) {
	keys, err := m.e.Keys("")
	return slices.DeleteFunc(keys, m.on.owns), err
}

func (m *engineMachine) does(kind string) bool {
	return m.disk != nil || !slices.Contains(aboutDisk, kind)
}

func (m *engineMachine) promised() bool { return m.safe }

func (m *engineMachine) struck() bool { return m.disk != nil && m.disk.struck() != nil }

// restart goes on where the machine was before the operation that the cut has struck: a copy may not have been complete.
func (m *engineMachine) restart() error {
	m.dir, m.olds = m.before, nil
	return m.reopen(m.disk.struck())
}

func (m *engineMachine) evicted() int {
	st, err := m.e.Stats()
	if err != nil {
		return m.left
	}
	return m.left + st.Evicted
}

// close checks what boards have closed, in the end of every script.
func (m *engineMachine) close() (err error) {
	if m.on != nil && m.disk != nil {
		err = m.check()
	}
	return errors.Join(err, m.e.Close())
}

package fuzz

import (
	"errors"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/engine"
)

// engineMachine is an engine in memory, or on a disk.
type engineMachine struct {
	e       *engine.Engine
	options engine.Options
	disk    *disk  // nil: memory only
	group   int    // blocks that are acknowledged together; 0: each by itself
	waiting int    // of those, not yet
	last    uint64 // the number of the last of them
	safe    bool   // nothing that is committed may be lost
	left    int    // sets that have left memory, before the engine was last opened
}

// newEngine makes a machine of an engine, on a disk of its own if it has one.
func newEngine(o engine.Options, d *disk, group int) (machine, error) {
	m := &engineMachine{options: o, disk: d, group: group, safe: true}
	return m, m.open()
}

func (m *engineMachine) open() (err error) {
	if m.disk == nil {
		m.e, err = engine.New(m.options)
		return err
	}
	m.options.FS, m.waiting, m.last, m.safe = m.disk.fs(), 0, 0, true
	m.e, err = engine.Open("data", m.options)
	return err
}

// txState is a transaction as what a block works on.
type txState struct{ *engine.Tx }

func (t txState) set(key string) (sortedSet, error) {
	if w := tieWidth(key); w > 0 {
		return t.SetTied(key, w)
	}
	return t.Set(key)
}

var errRollback = errors.New("fuzz: rollback")

// run makes a transaction of a block; one that only reads is a View.
func (m *engineMachine) run(b block) (replies []string, err error) {
	var keys []string
	for _, op := range b.ops {
		keys = append(keys, op.keys()...)
	}
	defer func() {
		if r := recover(); r != nil && r != any(errRollback) {
			panic(r)
		}
	}()
	err = m.transact(b, keys, func(tx *engine.Tx) error {
		replies = nil
		for _, op := range b.ops {
			replies = append(replies, apply(txState{tx}, op))
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

func (m *engineMachine) keys() ([]string, error) { return m.e.Keys("") }

func (m *engineMachine) between(op Op) (err error) {
	switch op.Kind {
	case "snapshot":
		err = m.e.Snapshot()
		m.safe = true
		return err
	case "flush":
		err = m.e.Flush()
		m.safe = true
		return err
	}
	if m.disk == nil {
		return nil
	}
	switch op.Kind {
	case "plant":
		m.disk.plant(op.Lo, op.Hi)
	case "kill":
		return m.reopen(m.disk.cut(100))
	case "cut":
		return m.reopen(m.disk.cut(op.Lo))
	case "reopen":
		return m.reopen(m.disk.mem)
	}
	return nil
}

// reopen closes the engine and opens what is on a disk.
func (m *engineMachine) reopen(mem *vfs.MemFS) error {
	m.left = m.evicted()
	if err := m.e.Close(); err != nil {
		return err
	}
	m.disk.replace(mem)
	return m.open()
}

func (m *engineMachine) promised() bool { return m.safe }

func (m *engineMachine) struck() bool { return m.disk != nil && m.disk.struck() != nil }

func (m *engineMachine) restart() error { return m.reopen(m.disk.struck()) }

func (m *engineMachine) evicted() int {
	st, err := m.e.Stats()
	if err != nil {
		return m.left
	}
	return m.left + st.Evicted
}

func (m *engineMachine) close() error { return m.e.Close() }

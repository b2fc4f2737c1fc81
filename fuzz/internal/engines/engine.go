package engines

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
)

// Machine is an engine in memory, or on a disk.
type Machine struct {
	Engine  *engine.Engine
	Options engine.Options
	Disk    *Disk          // nil: memory only
	group   int            // blocks that are acknowledged together; 0: each by itself
	waiting int            // of those, not yet
	last    uint64         // the number of the last of them
	Safe    bool           // nothing that is committed may be lost
	Clock   *machine.Clock // F7
	dir     string         // where it is stored
	before  string         // where it was before the last operation
	dirs    int            // that there have been
	olds    []string       // those that are not needed any more after the last operation
	left    int            // sets that have left memory, before the engine was last opened
	layered bool           // with boards on top
	on      *boardsOn
}

// Open makes a machine of an engine, on a disk of its own if it has one.
func Open(o engine.Options, d *Disk, group int) (machine.Machine, error) {
	m := New(o, d, group)
	return m, m.Open()
}

// New returns a machine that is not open yet.
func New(o engine.Options, d *Disk, group int) *Machine {
	m := &Machine{Options: o, Disk: d, group: group, Safe: true, Clock: &machine.Clock{}}
	if d != nil {
		m.dir = d.path()
	}
	m.Options.Clock = m.Clock.Now
	return m
}

// Open opens the engine; if that fails, the machine has the one that is closed.
func (m *Machine) Open() (err error) {
	var e *engine.Engine
	if m.Disk == nil {
		e, err = engine.New(m.Options)
	} else {
		m.Options.FS, m.waiting, m.last, m.Safe = m.Disk.fs(), 0, 0, true
		e, err = engine.Open(m.dir, m.Options)
	}
	if err != nil {
		return err
	}
	if m.Engine = e; m.layered {
		m.on, err = openBoards(m.Engine)
	}
	return err
}

var errRollback = errors.New("fuzz: rollback")

// Run makes a transaction of a block; one that only reads is a View.
func (m *Machine) Run(b script.Block) (replies []string, err error) {
	m.before = m.dir
	if op := b.Ops; b.End == "" && op[0].Is(script.Whole) && op[0].Is(script.Alone) {
		m.Safe = m.Disk == nil || m.group == 0 && m.Options.Durability == engine.Sync
		return []string{callOn(m.Engine, op[0])}, nil
	}
	if b.End == "" && b.Ops[0].Is(script.OnBoard) {
		m.Safe = m.Safe && (b.ReadOnly() || m.Disk == nil || m.Options.Durability == engine.Sync)
		return []string{apply.BoardOp(m.on, b.Ops[0])}, nil
	}
	var keys []string
	for _, op := range b.Ops {
		if keys = append(keys, op.Keys()...); op.Is(script.OnBoard) {
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
		for _, op := range b.Ops {
			replies = append(replies, apply.Op(txState{tx, m.on}, op))
		}
		if err := m.callInside(keys); err != nil {
			return err
		}
		switch {
		case b.End == "panic":
			panic(errRollback)
		case b.RolledBack():
			return errRollback
		}
		return nil
	})
	if b.RolledBack() && errors.Is(err, errRollback) {
		err = nil
	}
	return replies, err
}

// callInside calls the engine inside a transaction, which must be refused and change nothing.
func (m *Machine) callInside(keys []string) error {
	if _, err := m.Engine.Delete(keys...); !errors.Is(err, engine.ErrInTx) {
		return fmt.Errorf("fuzz: Delete inside a transaction answers %v", err)
	}
	if _, err := m.Engine.Keys(""); !errors.Is(err, engine.ErrInTx) {
		return fmt.Errorf("fuzz: Keys inside a transaction answers %v", err)
	}
	return nil
}

// transact runs a transaction, and acknowledges a group when it is full.
func (m *Machine) transact(b script.Block, keys []string, fn func(*engine.Tx) error) error {
	if b.End == "" && b.ReadOnly() {
		return m.Engine.View(keys, fn)
	}
	sync := m.Options.Durability == engine.Sync
	if m.group == 0 {
		err := m.Engine.Update(keys, fn)
		m.Safe = m.Disk == nil || sync
		return err
	}
	seq, err := m.Engine.UpdateLater(keys, fn)
	m.last, m.Safe = max(m.last, seq), m.Disk == nil
	if m.waiting++; err != nil || m.waiting < m.group {
		return err
	}
	m.waiting = 0
	err = m.Engine.Acknowledge(m.last)
	m.Safe = m.Safe || sync
	return err
}

func (m *Machine) Keys() ([]string, error) {
	keys, err := m.Engine.Keys("")
	return slices.DeleteFunc(keys, m.on.owns), err
}

func (m *Machine) Does(kind string) bool {
	return m.Disk != nil || !slices.Contains(machine.DiskKinds, kind)
}

func (m *Machine) Promised() bool { return m.Safe }

func (m *Machine) Crashed() bool { return m.Disk != nil && m.Disk.struck() != nil }

// Restart goes on where the machine was before the operation that the cut has struck: a copy may not have been complete.
func (m *Machine) Restart() error {
	m.dir, m.olds = m.before, nil
	return m.reopen(m.Disk.struck())
}

func (m *Machine) Evicted() int {
	st, err := m.Engine.Stats()
	if err != nil {
		return m.left
	}
	return m.left + st.Evicted
}

// Close checks what boards have closed, in the end of every script.
func (m *Machine) Close() (err error) {
	if m.on != nil && m.Disk != nil {
		err = m.check()
	}
	return errors.Join(err, m.Engine.Close())
}

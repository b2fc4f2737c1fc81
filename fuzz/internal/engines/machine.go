package engines

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
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

// Keys returns the keys of all sets but those of boards. Errors: those of the engine.
func (m *Machine) Keys() ([]string, error) {
	keys, err := m.Engine.Keys("")
	return slices.DeleteFunc(keys, m.on.owns), err
}

// Does reports whether a kind of operation does anything: without a disk some do not.
func (m *Machine) Does(kind string) bool {
	return m.Disk != nil || !slices.Contains(machine.DiskKinds, kind)
}

// Promised reports whether a crash now must not lose any commit: F5.
func (m *Machine) Promised() bool { return m.Safe }

// Crashed reports whether the planted power cut has happened.
func (m *Machine) Crashed() bool { return m.Disk != nil && m.Disk.struck() != nil }

// Evicted returns the number of sets that have left memory since the machine was made.
func (m *Machine) Evicted() int {
	st, err := m.Engine.Stats()
	if err != nil {
		return m.left
	}
	return m.left + st.Evicted
}

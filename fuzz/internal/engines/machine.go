package engines

import (
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
)

// Machine is an engine in memory, or on a disk.
type Machine struct {
	Engine  *engine.Engine
	options engine.Options
	disk    *disk          // nil: memory only
	group   int            // number of blocks that are acknowledged together; 0: each by itself
	waiting int            // blocks that wait to be acknowledged
	last    uint64         // the commit of the last waiting block
	safe    bool           // a crash must not lose any commit
	Clock   *machine.Clock // F7
	dir     string         // its directory
	before  string         // its directory before the last block
	dirs    int            // directories so far, to name the next one
	stale   []string       // directories that the next copy may delete
	evicted int            // evictions before the engine was last opened
	found   uint64         // the last commit when the engine was last opened
	layered bool           // it has boards
	on      *boardsOn      // the boards; nil: it has none
}

// New returns a machine that is not open yet: an engine in memory or, if it is stored, on a disk of its own. It acknowledges group
// transactions together; 0: each by itself.
func New(o engine.Options, stored bool, group int) *Machine {
	if !stored {
		return newMachine(nil, o, group)
	}
	return newMachine(newDisk(), o, group)
}

// NewIn returns a machine that is not open yet: an engine in a directory of the operating system.
func NewIn(dir string, o engine.Options, group int) *Machine {
	return newMachine(&disk{dir: dir}, o, group)
}

// newMachine returns a machine on a disk; nil: in memory.
func newMachine(d *disk, o engine.Options, group int) *Machine {
	m := &Machine{options: o, disk: d, group: group, safe: true, Clock: &machine.Clock{}}
	if d != nil {
		m.dir = d.path()
	}
	m.options.Clock = m.Clock.Now
	return m
}

// Opened opens the engine and returns the machine, as Config.Open does.
func (m *Machine) Opened() (machine.Machine, error) { return m, m.Open() }

// Open opens the engine. If it fails, the machine keeps the closed one.
func (m *Machine) Open() (err error) {
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
	m.found = e.LastSeq()
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
	return m.disk != nil || !slices.Contains(machine.DiskKinds, kind)
}

// keepsAcknowledged reports whether a crash must not lose a commit that has been acknowledged.
func (m *Machine) keepsAcknowledged() bool {
	return m.disk == nil || m.options.Durability == engine.Sync
}

// Acknowledged notes that every commit so far has been acknowledged.
func (m *Machine) Acknowledged() { m.safe = m.keepsAcknowledged() }

// Promised reports whether a crash now must not lose any commit: F5.
func (m *Machine) Promised() bool { return m.safe }

// Seq returns the last commit.
func (m *Machine) Seq() uint64 { return m.Engine.LastSeq() }

// Found returns the last commit that was there when the engine was last opened.
func (m *Machine) Found() uint64 { return m.found }

// Crashed reports whether the planted power cut has happened.
func (m *Machine) Crashed() bool { return m.disk != nil && m.disk.crashed() != nil }

// Evicted returns the number of sets that have left memory since the machine was made.
func (m *Machine) Evicted() int {
	st, err := m.Engine.Stats()
	if err != nil {
		return m.evicted
	}
	return m.evicted + st.Evicted
}

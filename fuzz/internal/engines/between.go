package engines

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/memfs"
)

// Between does what an operation between blocks asks for: F2. Errors: those of the engine.
func (m *Machine) Between(op script.Op) error {
	m.before = m.dir
	switch op.Kind {
	case "sleep":
		m.Clock.Sleep(op)
		return m.on.settle()
	case "listpack":
		m.Engine.SetListpack(max(op.Lo, 0), max(op.Hi, 0))
		return nil
	case "preload":
		_, err := m.Engine.Preload(context.Background(), "")
		return m.full(err)
	case "snapshot":
		return m.Flushed(m.Engine.Snapshot())
	case "flush":
		return m.Flushed(m.Engine.Flush())
	case "evict":
		return m.evict()
	}
	if m.disk == nil {
		return m.on.reopen(op)
	}
	return m.onDisk(op)
}

// onDisk is between, of what only a machine with a disk has.
func (m *Machine) onDisk(op script.Op) error {
	switch op.Kind {
	case "check":
		return m.check()
	case "plant":
		m.disk.plant(op.Lo, op.Hi)
	case "kill":
		return m.reopen(m.disk.cut(100))
	case "cut":
		return m.reopen(m.disk.cut(op.Lo))
	case "reopen":
		return m.reopen(m.disk.mem)
	case "backup", "restore", "salvage":
		if m.disk.dir == "" { // whoever starts a process again looks where it was
			return m.move(op.Kind)
		}
	}
	return nil
}

// Flushed notes that all is on the disk.
func (m *Machine) Flushed(err error) error {
	m.safe = m.safe || err == nil
	return err
}

// evict makes every set leave memory as soon as it may.
func (m *Machine) evict() error {
	keys, err := m.Engine.Keys("")
	if err != nil {
		return err
	}
	return m.Engine.Unload(keys...)
}

// full lets an engine say that there is no room for more.
func (m *Machine) full(err error) error {
	if m.options.MemoryLimit > 0 && errors.Is(err, engine.ErrMemoryLimit) {
		return nil
	}
	return err
}

// check proves that what is stored is what is in memory, and that closed periods are what was closed.
func (m *Machine) check() error {
	var report engine.Report
	var err error
	if m.on == nil {
		report, err = m.Engine.Check(context.Background(), nil)
	} else {
		var all board.Report
		all, err = m.on.Check(context.Background(), nil)
		report = all.Report
	}
	if err == nil && len(report.Problems) > 0 {
		err = fmt.Errorf("check: %v", report.Problems)
	}
	return err
}

// move goes on from a copy of the engine's directory.
func (m *Machine) move(how string) (err error) {
	ctx, from := context.Background(), m.dir
	for _, dir := range m.olds {
		if err := m.options.FS.RemoveAll(dir); err != nil {
			return err
		}
	}
	m.olds = []string{m.dir}
	if how != "salvage" {
		from = m.newDir()
		if err := m.Engine.Backup(ctx, from); err != nil {
			return err
		}
	}
	if err := m.shut(); err != nil {
		return err
	}
	switch m.dir = from; how {
	case "restore":
		m.dir, m.olds = m.newDir(), append(m.olds, from)
		_, err = engine.Restore(ctx, from, m.dir, m.options)
	case "salvage":
		m.dir = m.newDir()
		_, err = engine.Salvage(ctx, from, m.dir, m.options)
	}
	if err != nil {
		return err
	}
	return m.Open()
}

// newDir returns the name of a directory that does not exist.
func (m *Machine) newDir() string {
	m.dirs++
	return fmt.Sprint(m.disk.path(), m.dirs)
}

// reopen closes the engine and opens what is on a disk.
func (m *Machine) reopen(mem *memfs.FS) error {
	if err := m.shut(); err != nil {
		return err
	}
	m.disk.replace(mem)
	return m.Open()
}

// shut closes the engine, and remembers what it has counted.
func (m *Machine) shut() error {
	m.left = m.Evicted()
	return m.Engine.Close()
}

// Restart goes on where the machine was before the operation that the cut has struck: a copy may not have been complete.
func (m *Machine) Restart() error {
	m.dir, m.olds = m.before, nil
	return m.reopen(m.disk.struck())
}

// Close checks what boards have closed, in the end of every script.
func (m *Machine) Close() (err error) {
	if m.on != nil && m.disk != nil {
		err = m.check()
	}
	return errors.Join(err, m.Engine.Close())
}

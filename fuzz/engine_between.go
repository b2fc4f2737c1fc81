package fuzz

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/internal/memfs"
)

func (m *engineMachine) between(op Op) error {
	m.before = m.dir
	switch op.Kind {
	case "sleep":
		m.clock.sleep(op)
		return m.on.settle()
	case "listpack":
		m.e.SetListpack(max(op.Lo, 0), max(op.Hi, 0))
		return nil
	case "preload":
		_, err := m.e.Preload(context.Background(), "")
		return m.full(err)
	case "snapshot":
		return m.flushed(m.e.Snapshot())
	case "flush":
		return m.flushed(m.e.Flush())
	case "evict":
		return m.evict()
	}
	if m.disk == nil {
		return m.on.reopen(op)
	}
	return m.onDisk(op)
}

// onDisk is between, of what only a machine with a disk has.
func (m *engineMachine) onDisk(op Op) error {
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

// flushed notes that all is on the disk.
func (m *engineMachine) flushed(err error) error {
	m.safe = m.safe || err == nil
	return err
}

// evict makes every set leave memory as soon as it may.
func (m *engineMachine) evict() error {
	keys, err := m.e.Keys("")
	if err != nil {
		return err
	}
	return m.e.Unload(keys...)
}

// full lets an engine say that there is no room for more.
func (m *engineMachine) full(err error) error {
	if m.options.MemoryLimit > 0 && errors.Is(err, engine.ErrMemoryLimit) {
		return nil
	}
	return err
}

// check proves that what is stored is what is in memory, and that closed periods are what was closed.
func (m *engineMachine) check() error {
	var report engine.Report
	var err error
	if m.on == nil {
		report, err = m.e.Check(context.Background(), nil)
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
func (m *engineMachine) move(how string) (err error) {
	ctx, from := context.Background(), m.dir
	for _, dir := range m.olds {
		if err := m.options.FS.RemoveAll(dir); err != nil {
			return err
		}
	}
	m.olds = []string{m.dir}
	if how != "salvage" {
		from = m.newDir()
		if err := m.e.Backup(ctx, from); err != nil {
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
	return m.open()
}

// newDir returns the name of a directory that does not exist.
func (m *engineMachine) newDir() string {
	m.dirs++
	return fmt.Sprint(m.disk.path(), m.dirs)
}

// reopen closes the engine and opens what is on a disk.
func (m *engineMachine) reopen(mem *memfs.FS) error {
	if err := m.shut(); err != nil {
		return err
	}
	m.disk.replace(mem)
	return m.open()
}

// shut closes the engine, and remembers what it has counted.
func (m *engineMachine) shut() error {
	m.left = m.evicted()
	return m.e.Close()
}

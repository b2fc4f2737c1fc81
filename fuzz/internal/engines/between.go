package engines

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/internal/memfs"
)

// Between runs an operation between blocks: F2. Errors: those of the engine.
func (m *Machine) Between(op script.Op) error {
	m.before = m.dir
	switch op.Kind {
	case "sleep":
		m.Clock.Sleep(op)
		return m.on.closeDue()
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
	case "compact":
		_, err := m.Engine.Compact(context.Background(), nil)
		return m.Flushed(err)
	case "evict":
		return m.evict()
	}
	if m.disk == nil {
		return m.on.reopen(op)
	}
	return m.onDisk(op)
}

// onDisk is Between for operations that need a disk.
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
		if m.disk.dir == "" { // a child process that is killed comes back in its first directory, so it must stay there
			return m.move(op.Kind)
		}
	}
	return nil
}

// Flushed notes that everything is on the disk, unless err says otherwise, and returns err.
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

// full ignores ErrMemoryLimit if the engine has a limit.
func (m *Machine) full(err error) error {
	if m.options.MemoryLimit > 0 && errors.Is(err, engine.ErrMemoryLimit) {
		return nil
	}
	return err
}

// check compares the store with memory, and closed periods with their checksums.
func (m *Machine) check() error {
	var report engine.Report
	var err error
	if m.on == nil {
		report, err = m.Engine.Check(context.Background(), nil)
	} else {
		var all local.Report
		all, err = m.on.Check(context.Background(), nil)
		report = all.Report
	}
	if err == nil && len(report.Problems) > 0 {
		err = fmt.Errorf("check: %v", report.Problems)
	}
	return err
}

// move closes the engine and opens a copy of its directory: a backup, a backup that was restored, or a salvaged directory.
func (m *Machine) move(how string) (err error) {
	ctx, from := context.Background(), m.dir
	for _, dir := range m.stale {
		if err := m.options.FS.RemoveAll(dir); err != nil {
			return err
		}
	}
	m.stale = []string{m.dir}
	if how != "salvage" {
		from = m.newDir()
		if err := m.Engine.Backup(ctx, from); err != nil {
			return err
		}
	}
	if err := m.closeEngine(); err != nil {
		return err
	}
	switch m.dir = from; how {
	case "restore":
		m.dir, m.stale = m.newDir(), append(m.stale, from)
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

// reopen closes the engine and opens the one on another file system.
func (m *Machine) reopen(mem *memfs.FS) error {
	if err := m.closeEngine(); err != nil {
		return err
	}
	m.disk.replace(mem)
	return m.Open()
}

// closeEngine closes the engine and keeps its count of evictions.
func (m *Machine) closeEngine() error {
	m.evicted = m.Evicted()
	return m.Engine.Close()
}

// Restart opens the file system that the planted cut has left. It opens the directory from before the block, as a copy that the block made
// may be incomplete.
func (m *Machine) Restart() error {
	m.dir, m.stale = m.before, nil
	return m.reopen(m.disk.crashed())
}

// Close checks the closed periods of boards and closes the engine.
func (m *Machine) Close() (err error) {
	if m.on != nil && m.disk != nil {
		err = m.check()
	}
	return errors.Join(err, m.Engine.Close())
}

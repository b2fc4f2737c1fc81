package storedir

import (
	"errors"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// Staging is a store that is being built in dir.tmp. Its IDENTITY is called IDENTITY.tmp until the store is complete, checked and
// flushed. Open refuses what an interrupted build has left, and the next build to the same dir removes it (P9).
type Staging struct {
	Fs       vfs.FS
	dir, Tmp string
	lock     interface{ Close() error }
	parent   string
}

// NewStaging makes the directory. dir must not exist, or be an empty directory.
func NewStaging(fs vfs.FS, dir string) (*Staging, error) {
	g := &Staging{Fs: fs, dir: dir, Tmp: dir + ".tmp", parent: fs.PathDir(dir)}
	names, err := fs.List(dir)
	if err == nil && len(names) > 0 {
		return nil, fmt.Errorf("%w: %s", errs.ErrExists, dir)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("persist: %w", err)
	}
	if err := g.vacant(); err != nil {
		return nil, err
	}
	if err := MakeDir(fs, g.Tmp); err != nil {
		return nil, fmt.Errorf("persist: create %s: %w", g.Tmp, err)
	}
	lock, err := Lock(fs, g.Tmp)
	if err != nil {
		return nil, err
	}
	if err := g.vacant(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	g.lock = lock
	return g, nil
}

// vacant returns an error if dir.tmp holds anything else than what an interrupted build has left.
func (g *Staging) vacant() error {
	state, err := Inspect(g.Fs, g.Tmp)
	if err == nil && state != StateNew {
		err = fmt.Errorf("%w: %s", errs.ErrExists, g.Tmp)
	}
	return err
}

// Finish renames the store to dir. The store must be closed; the staging still holds the lock.
func (g *Staging) Finish() error {
	if err := FinishCreate(g.Fs, g.Tmp); err != nil {
		return err
	}
	if err := g.Fs.Remove(g.dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := g.Fs.Rename(g.Tmp, g.dir); err != nil {
		return err
	}
	return errors.Join(SyncDir(g.Fs, g.parent), g.lock.Close())
}

// Drop removes the stage.
func (g *Staging) Drop() error { return errors.Join(g.Fs.RemoveAll(g.Tmp), g.lock.Close()) }

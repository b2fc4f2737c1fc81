package persist

import (
	"errors"
	"fmt"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// stage is a store in the making: everything is in dir.tmp, where IDENTITY is still called IDENTITY.tmp, until it is whole,
// checked and flushed. What an interrupted one leaves opens as nothing, and is cleared by the next one (P9).
type stage struct {
	fs       vfs.FS
	dir, tmp string
	lock     interface{ Close() error }
	parent   string
}

// newStage makes the directory. dir must not exist, or be an empty directory.
func newStage(fs vfs.FS, dir string) (*stage, error) {
	g := &stage{fs: fs, dir: dir, tmp: dir + ".tmp", parent: fs.PathDir(dir)}
	names, err := fs.List(dir)
	if err == nil && len(names) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrExists, dir)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("persist: %w", err)
	}
	if err := g.vacant(); err != nil {
		return nil, err
	}
	if err := makeDir(fs, g.tmp); err != nil {
		return nil, fmt.Errorf("persist: create %s: %w", g.tmp, err)
	}
	lock, err := lockDir(fs, g.tmp)
	if err != nil {
		return nil, err
	}
	if err := g.vacant(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	g.lock = lock
	return g, nil
}

// vacant refuses a dir.tmp that holds more than what an interrupted stage leaves.
func (g *stage) vacant() error {
	state, err := lookAt(g.fs, g.tmp)
	if err == nil && state != dirNew {
		err = fmt.Errorf("%w: %s", ErrExists, g.tmp)
	}
	return err
}

// finish gives the store its name. It is closed, and the stage holds the lock.
func (g *stage) finish() error {
	if err := finishCreate(g.fs, g.tmp); err != nil {
		return err
	}
	if err := g.fs.Remove(g.dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := g.fs.Rename(g.tmp, g.dir); err != nil {
		return err
	}
	return errors.Join(syncDir(g.fs, g.parent), g.lock.Close())
}

// drop removes the stage.
func (g *stage) drop() error { return errors.Join(g.fs.RemoveAll(g.tmp), g.lock.Close()) }

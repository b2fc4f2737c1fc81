package image

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Of returns an image of an open store that holds every commit appended before the call. The store keeps the files that the image
// needs. The image must be closed before the store. Errors: ErrPersistence, ErrClosed.
func Of(l *commitlog.Log) (*Image, error) {
	if err := l.Flush(); err != nil {
		return nil, err
	}
	if err := l.DB.Acquire(); err != nil {
		return nil, err
	}
	snapshot := l.DB.Pebble.NewSnapshot()
	return &Image{
		db:     snapshot,
		tables: func() ([]tableFile, error) { return tableFiles(l.DB) },
		close:  func() error { defer l.DB.Release(); return snapshot.Close() },
		id:     l.DB.ID,
	}, nil
}

// Open opens the store in a directory that no process has open. It changes no file there except LOCK. Check reports damage. If Pebble
// cannot open the database, or opens it without all that was in it, the image holds in memory what can be read from the tables and logs
// that are there. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, the file system's. O(log).
func Open(dir string, c pebbledb.Config) (*Image, error) {
	d := pebbledb.New(dir, c)
	if !holdsStore(d.FS, d.Dir) {
		return nil, fmt.Errorf("%w: %s", errs.ErrNotStore, dir)
	}
	lock, err := storedir.Lock(d.FS, d.Dir)
	if err != nil {
		return nil, err
	}
	_, refused := recovery.Preflight(d)
	im, err := openDatabase(d, storedir.IdentityName)
	if im != nil && err != nil { // Pebble cannot open the database, or lacks a part of it
		im.problems, im.stale = append(im.problems, problemOf(storedir.DBName, err)), true
		err = openRaw(d, im)
	}
	if im != nil {
		im.refused = refused
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	closeDB := im.close
	im.close = func() error { return errors.Join(closeDB(), lock.Close()) }
	return im, nil
}

// holdsStore reports whether a directory looks like a store, complete or not.
func holdsStore(fs vfs.FS, dir string) bool {
	for _, name := range []string{storedir.DBName, storedir.IdentityName} {
		if _, err := fs.Stat(fs.PathJoin(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// errNotOpened is returned for a database that Pebble does not open.
var errNotOpened = errors.New("persist: Pebble does not open it")

// openDatabase opens the database in a store's directory read-only. identity names the file with the store's id. If Pebble cannot open
// the database, or writes are missing there, openDatabase returns an error and an image with the id and the problems so far.
func openDatabase(d *pebbledb.DB, identity string) (*Image, error) {
	im := &Image{}
	n, err := readIdentityFile(d.FS, d.FS.PathJoin(d.Dir, identity))
	if errors.Is(err, errs.ErrNewerFormat) {
		return nil, err
	}
	if err != nil {
		im.problem(identity, "%v", err)
	}
	im.id = n.ID
	o := d.PebbleOptions(pebbledb.ReadOnly)
	err = d.Guard(func() (err error) {
		d.Pebble, err = pebble.Open(d.FS.PathJoin(d.Dir, storedir.DBName), o)
		return err
	})
	if err != nil {
		return im, fmt.Errorf("%w: %w", errNotOpened, err)
	}
	if err := d.CheckBatchNumbers(); err != nil { // Pebble has not noticed what is missing: its list of tables may be an old one
		if closeErr := d.Pebble.Close(); closeErr != nil {
			err = errors.Join(err, closeErr)
		}
		return im, err
	}
	im.db, im.close = d.Pebble, d.Pebble.Close
	im.tables = func() ([]tableFile, error) { return tableFiles(d) }
	return im, nil
}

// readIdentityFile reads IDENTITY, or IDENTITY.tmp, which has the same format.
func readIdentityFile(fs vfs.FS, name string) (storedir.Identity, error) {
	f, err := fs.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return storedir.Identity{}, errors.New("the file is missing")
	}
	if err != nil {
		return storedir.Identity{}, err
	}
	defer f.Close()
	v, err := io.ReadAll(io.LimitReader(f, storedir.IdentitySize+1))
	if err != nil {
		return storedir.Identity{}, err
	}
	n, err := storedir.DecodeIdentity(v)
	return n, errs.WithKey(err, func() string { return storedir.IdentityName })
}

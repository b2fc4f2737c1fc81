package persist

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// Image returns an image of the store that holds every commit appended before the call. The store keeps the files that the image
// needs. Close the image before the store. Errors: ErrPersistence, ErrClosed.
func (s *Store) Image() (*Image, error) {
	l := s.log
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

// OpenImage opens the store in a directory that no process has open. It changes no file there except those called LOCK. It uses only
// FS and Logger of o. Check reports damage. If Pebble cannot open the database, the image holds in memory what can be read from its
// tables and logs. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, the file system's. O(log).
func OpenImage(dir string, o Options) (*Image, error) {
	return openImage(dir, o.withDefaults().database())
}

// openImage is OpenImage with the configuration of the database. If Pebble cannot open it, or opens it without all that was in it, the image
// holds in memory what can be read from the tables and logs that are there.
func openImage(dir string, c pebbledb.Config) (*Image, error) {
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
		im.problems = append(im.problems, problemOf(storedir.DBName, err))
		err = openDamaged(d, c, im)
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

// openDamaged opens a database that openDatabase has refused: as it was before the damage, if only Pebble's logs are damaged, and table
// by table otherwise.
func openDamaged(d *pebbledb.DB, c pebbledb.Config, im *Image) error {
	earlier, err := openCut(d, c)
	if err != nil {
		im.stale = true
		return openRaw(d, im)
	}
	im.db, im.tables, im.close = earlier.db, earlier.tables, earlier.close
	return nil
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

package persist

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/errs"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

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

package persist

import (
	"errors"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// If only Pebble's logs are damaged, the tables and the logs before the damage hold an exact earlier state. Pebble does not open it, since
// writes are missing after it. So this file shows Pebble the logs without what comes after the first batch that is damaged or missing;
// P15 says which batches there must be.

// cutLogs is a file system that shows only the beginning of Pebble's logs.
type cutLogs struct {
	vfs.FS
	db   string
	keep map[string]int64 // how many bytes of a log are shown; a log that is not in it is hidden
}

// List implements vfs.FS.
func (c *cutLogs) List(dir string) ([]string, error) {
	names, err := c.FS.List(dir)
	if c.PathBase(dir) != storedir.DBName {
		return names, err
	}
	return slices.DeleteFunc(names, func(name string) bool {
		_, kept := c.keep[name]
		return strings.HasSuffix(name, pebbledb.LogSuffix) && !kept
	}), err
}

// Open implements vfs.FS.
func (c *cutLogs) Open(name string, o ...vfs.OpenOption) (vfs.File, error) {
	n, kept := c.keep[c.PathBase(name)]
	if !kept {
		return c.FS.Open(name, o...)
	}
	v, err := storedir.ReadWhole(c.FS, name)
	if err != nil {
		return nil, err
	}
	return vfs.NewMemFile(v[:n]), nil
}

// Unwrap implements vfs.FS.
func (c *cutLogs) Unwrap() vfs.FS { return c.FS }

// openCut opens the database as it was before the first batch that is damaged or missing in its logs. It fails if more than the logs is
// damaged, such as Pebble's list of tables.
func openCut(d *pebbledb.DB, config pebbledb.Config) (*Image, error) {
	mark, err := storedir.ReadMark(d.FS, d.Dir)
	if err != nil {
		return nil, err
	}
	db := d.FS.PathJoin(d.Dir, storedir.DBName)
	if _, err := storedir.CheckFiles(config.FS, db, mark.Manifest); err != nil {
		return nil, err
	}
	logs := &cutLogs{FS: config.FS}
	config.FS = logs
	tables, err := openDatabase(pebbledb.New(d.Dir, config), storedir.IdentityName)
	if err != nil {
		return nil, err
	}
	flushed, err := pebbledb.LastNumber(tables.db)
	if err := errors.Join(err, tables.Close()); err != nil {
		return nil, err
	}
	if logs.keep, err = pebbledb.WholeLogs(logs.FS, db, flushed); err != nil {
		return nil, err
	}
	return openDatabase(pebbledb.New(d.Dir, config), storedir.IdentityName)
}

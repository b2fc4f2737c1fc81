package persist

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/internal/pebbledb"
	"github.com/zrankdb/zrank/persist/internal/recovery"
)

// Open opens the store in dir, and creates dir and the store if there is none. It reads the log since the last snapshot and
// the sets' records, not the snapshot, and changes no file before all is in order. Errors: ErrLocked, ErrNotStore,
// ErrNewerFormat, ErrCorrupt, ErrDataLoss, ErrPersistence, those of Options.Validate and the file system's.
// O(log + sets).
func Open(dir string, o Options) (*Store, error) { return open(dir, o, nil) }

// open is Open with a hook for tests, which tune Pebble to do in little space what it else does in much.
func open(dir string, o Options, tune func(*pebble.Options)) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if dir == "" {
		return nil, errors.New("persist: open: the directory has no name")
	}
	o = o.withDefaults()
	c := o.database()
	c.Tune = tune
	d := pebbledb.New(dir, c)
	state, err := recovery.Lock(d, o.MustExist)
	if err != nil {
		return nil, err
	}
	var at commitlog.State
	var found recovery.Summary
	err = d.Guard(func() (err error) {
		at, found, err = recovery.Open(d, state)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, d.Lock.Close())
	}
	return &Store{log: commitlog.Start(d, o.log(), at), recovery: Recovery(found)}, nil
}

// Recovery returns what Open found. O(1).
func (s *Store) Recovery() Recovery { return s.recovery }

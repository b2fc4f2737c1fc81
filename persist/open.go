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
// ErrNewerFormat, ErrCorrupt, ErrDataLoss, ErrDiskFull, ErrPersistence, those of Options.Validate and the file system's. After ErrDiskFull, and
// after an error that is not the disk's, such as too many open files, the next Open may succeed.
// O(log + sets).
func Open(dir string, o Options) (*Store, error) { return open(dir, o, nil) }

// open is Open with a hook for tests: tune shrinks Pebble's sizes, so that few bytes cause flushes and compactions.
func open(dir string, o Options, tune func(*pebble.Options)) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if dir == "" {
		return nil, errors.New("persist: open: the directory has no name")
	}
	o = o.withDefaults()
	config := o.database()
	config.Tune = tune
	d := pebbledb.New(dir, config)
	state, err := recovery.Lock(d, o.MustExist)
	if err != nil {
		return nil, d.OpenError(err)
	}
	var logState commitlog.State
	var summary recovery.Summary
	err = d.Guard(func() (err error) {
		logState, summary, err = recovery.Open(d, state)
		return err
	})
	if err != nil {
		return nil, errors.Join(d.OpenError(err), d.Lock.Close())
	}
	return &Store{log: commitlog.Start(d, o.log(), logState), recovery: Recovery(summary)}, nil
}

// Recovery returns what Open found. O(1).
func (s *Store) Recovery() Recovery { return s.recovery }

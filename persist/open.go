package persist

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Open opens the store in dir, and creates dir and the store if there is none. It reads the log since the last snapshot,
// not the snapshot. Errors: ErrLocked, ErrNotStore, ErrNewerFormat, ErrCorrupt, ErrPersistence, those of Options.Validate
// and the file system's. O(log).
func Open(dir string, o Options) (*Store, error) { return open(dir, o, nil) }

// open is Open with a hook for tests, which tune Pebble to do in little space what it else does in much.
func open(dir string, o Options, tune func(*pebble.Options)) (*Store, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if dir == "" {
		return nil, errors.New("persist: open: the directory has no name")
	}
	s := newStore(dir, o.withDefaults())
	s.tune = tune
	state, err := s.lockAndLook()
	if err != nil {
		return nil, err
	}
	if err := s.guard(func() error { return s.openFiles(state) }); err != nil {
		return nil, errors.Join(err, s.lock.Close())
	}
	go s.commitLoop()
	return s, nil
}

func newStore(dir string, o Options) *Store {
	if vfs.Root(o.FS) == vfs.Default {
		if abs, err := filepath.Abs(dir); err == nil { // the process may change its directory later
			dir = abs
		}
	}
	return &Store{
		dir:      dir,
		fs:       o.FS,
		level:    o.Level,
		interval: o.Interval,
		log:      o.Logger,

		mustExist: o.MustExist,

		turn:   newTurn(),
		refs:   1,
		wake:   make(chan struct{}, 1),
		failed: make(chan struct{}),
		gone:   make(chan struct{}),
		closed: make(chan struct{}),
	}
}

// lockAndLook makes sure that dir is, or may become, a store, before and after it is ours alone. A directory that is
// neither is not touched, not even by the lock.
func (s *Store) lockAndLook() (dirState, error) {
	if _, err := s.look(); err != nil {
		return 0, err
	}
	if err := makeDir(s.fs, s.dir); err != nil {
		return 0, fmt.Errorf("persist: create %s: %w", s.dir, err)
	}
	lock, err := lockDir(s.fs, s.dir)
	if err != nil {
		return 0, err
	}
	state, err := s.look()
	if err != nil {
		return 0, errors.Join(err, lock.Close())
	}
	s.lock = lock
	return state, nil
}

func (s *Store) look() (dirState, error) {
	state, err := lookAt(s.fs, s.dir)
	if err == nil && state == dirForeign {
		err = fmt.Errorf("%w: %s is a file, or holds something else", ErrNotStore, s.dir)
	}
	if err == nil && state == dirNew && s.mustExist {
		err = fmt.Errorf("%w: %s is empty or does not exist", ErrNotStore, s.dir)
	}
	return state, err
}

// openFiles opens or creates Pebble and reads what there is to know; after an error nothing is left open.
func (s *Store) openFiles(state dirState) (err error) {
	defer func() {
		if err != nil && s.db != nil {
			_ = s.db.Close()
		}
	}()
	if state == dirNew {
		return s.create()
	}
	n, err := readIdentity(s.fs, s.dir)
	if err != nil {
		return err
	}
	if err := s.openPebble(false); err != nil {
		return err
	}
	return s.load(n.id)
}

// create makes an empty store.
func (s *Store) create() error {
	n := newIdentity()
	if err := beginCreate(s.fs, s.dir, n); err != nil {
		return fmt.Errorf("persist: create %s: %w", s.dir, err)
	}
	if err := s.openPebble(true); err != nil {
		return err
	}
	s.current = pointer{start: 1}
	b := s.db.NewBatch()
	if err := errors.Join(b.Set(keyFormat, encodeFormat(n.id), nil), b.Set(keyCurrent, s.current.encode(), nil)); err != nil {
		return err
	}
	if err := s.apply(b, true); err != nil {
		return err
	}
	if err := finishCreate(s.fs, s.dir); err != nil {
		return fmt.Errorf("persist: create %s: %w", s.dir, err)
	}
	s.id = n.id
	s.committer.chain = chain{store: n.id.hash(), next: 1}
	return nil
}

func (s *Store) openPebble(fresh bool) error {
	db, err := pebble.Open(s.fs.PathJoin(s.dir, dbName), s.pebbleOptions(fresh))
	switch {
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return &CorruptError{Key: dbName, Reason: "the database is missing"}
	case pebble.IsCorruptionError(err):
		return &CorruptError{Key: dbName, Reason: err.Error()}
	case err != nil:
		return fmt.Errorf("persist: open %s: %w", s.dir, err)
	}
	s.db = db
	return nil
}

// load reads what Open needs to know of an existing store, and clears what a crashed snapshot has left.
func (s *Store) load(id storeID) error {
	v, err := s.must(keyFormat)
	if err != nil {
		return err
	}
	if s.id, err = decodeFormat(v); err != nil {
		return named(err, nameOf(keyFormat))
	}
	if s.id != id {
		return &CorruptError{Key: string(keyFormat), Offset: 4, Reason: "the database belongs to another store than IDENTITY says"}
	}
	if v, err = s.must(keyCurrent); err != nil {
		return err
	}
	if s.current, err = decodePointer(v); err != nil {
		return named(err, nameOf(keyCurrent))
	}
	if err := errors.Join(s.loadNumber(), s.checkLog()); err != nil {
		return err
	}
	return s.dropPagesAfter(s.current.snapshot)
}

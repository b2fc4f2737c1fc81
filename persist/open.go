package persist

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist/internal/failstop"
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
	s := newStore(dir, o.withDefaults())
	s.tune = tune
	state, err := s.lockAndLook()
	if err != nil {
		return nil, err
	}
	if err := s.guard(func() error { return s.openFiles(state) }); err != nil {
		return nil, errors.Join(err, s.lock.Close())
	}
	s.run()
	return s, nil
}

func newStore(dir string, o Options) *Store {
	if vfs.Root(o.FS) == vfs.Default {
		if abs, err := filepath.Abs(dir); err == nil { // the process may change its directory later
			dir = abs
		}
	} else {
		dir = o.FS.PathJoin(dir) // failstop knows what is in it by the spelling
	}
	s := &Store{
		dir:      dir,
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

		abandoned: make(chan struct{}),
		watch:     watch{epoch: time.Now(), slow: o.SlowSync, timeout: o.StallTimeout},
		lag:       lag{max: o.MaxLag},
		space:     space{reserve: o.DiskReserve},
		events:    notifier{call: o.OnEvent},
		tail:      tail{limit: o.TailBytes},
	}
	s.fs = failstop.New(o.FS, s.dir, s.fail)
	s.mark = newHighWater(s.fs, dir)
	return s
}

// run starts the store's goroutines.
func (s *Store) run() {
	if s.level == Interval {
		s.lag.timer = time.AfterFunc(s.lag.max, s.lagTimer)
		s.lag.timer.Stop()
	}
	s.checkSpace()
	go s.commitLoop()
	go s.keepMark()
	go s.watchdog()
	go s.watchSpace()
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
		if err == nil {
			return
		}
		if s.db != nil {
			_ = s.db.Close()
		}
		_ = s.mark.close(false)
	}()
	if state == dirNew {
		return s.create()
	}
	start := time.Now()
	if seeded.Bug("open before the checks") {
		if err := s.openPebble(pebbleWrite); err != nil {
			return err
		}
		_ = s.closePebble()
	}
	f, err := s.preflight()
	if err != nil {
		return err
	}
	if err := s.load(f); err != nil {
		return err
	}
	f.recovery.Duration = time.Since(start)
	s.recovery = f.recovery
	return nil
}

// create makes an empty store.
func (s *Store) create() (err error) {
	n := newIdentity()
	if err := beginCreate(s.fs, s.dir, n); err != nil {
		return fmt.Errorf("persist: create %s: %w", s.dir, err)
	}
	if err := s.openPebble(pebbleCreate); err != nil {
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
	if err := s.createMark(waterMark{store: n.id}); err != nil {
		return fmt.Errorf("persist: create %s: %w", s.dir, err)
	}
	if err := finishCreate(s.fs, s.dir); err != nil {
		return fmt.Errorf("persist: create %s: %w", s.dir, err)
	}
	s.id = n.id
	s.committer.chain = chain{store: n.id.hash(), next: 1}
	return nil
}

// createMark writes the first high-water mark of a store whose Pebble has just been created.
func (s *Store) createMark(m waterMark) (err error) {
	s.mark.note(func(next *waterMark) { m.manifest = next.manifest })
	if m, err = writeMarkFile(s.fs, s.dir, m); err != nil {
		return err
	}
	return s.mark.open(m)
}

func (s *Store) openPebble(mode pebbleMode) error {
	db, err := pebble.Open(s.fs.PathJoin(s.dir, dbName), s.pebbleOptions(mode))
	switch {
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return &CorruptError{Key: dbName, Reason: "the database is missing"}
	case pebble.IsCorruptionError(err), err != nil && mode == pebbleReadOnly:
		return damaged(err, dbName)
	case err != nil:
		return fmt.Errorf("persist: open %s: %w", s.dir, err)
	}
	s.db = db
	return nil
}

func (s *Store) closePebble() error {
	err := s.db.Close()
	s.db = nil
	return err
}

// load opens a store that the preflight has accepted, from here on with changes to its files, and clears what a crashed
// snapshot has left.
func (s *Store) load(f found) (err error) {
	m := f.mark
	m.store, m.clean, m.manifest = f.identity.id, false, f.manifest
	if !f.hasMark {
		if m, err = writeMarkFile(s.fs, s.dir, m); err != nil {
			return fmt.Errorf("persist: open %s: %w", s.dir, err)
		}
	}
	if err := s.mark.open(m); err != nil {
		return err
	}
	if err := s.openPebble(pebbleWrite); err != nil {
		return err
	}
	if err := s.sameAs(f); err != nil {
		return err
	}
	if err := s.upgrade(f); err != nil {
		return err
	}
	s.logSize.Store(s.committer.meter.size())
	s.last.Store(f.last)
	s.applied.Store(f.last)
	s.reached(f.last)
	s.opened = f.last
	s.mark.note(func(next *waterMark) {
		next.durable, next.chain = f.last, s.committer.chain.prev
		next.snapshot, next.upto = s.current.snapshot, s.current.upto
	})
	for range 2 { // both slots: the older one must not say that the store is closed
		if err := s.mark.write(); err != nil {
			return fmt.Errorf("persist: open %s: %w", s.dir, err)
		}
	}
	return s.dropPagesAfter(s.current.snapshot)
}

// sameAs makes sure that Pebble, opened for writing, has what it had when it was opened for reading.
func (s *Store) sameAs(f found) error {
	p, err := s.readPointer()
	if err != nil {
		return err
	}
	start, chain, err := s.cutPoint(f.last)
	if err == nil && (p != f.current || start != f.last+1 || chain != s.committer.chain.prev) {
		err = &CorruptError{Key: dbName, Reason: "the database changed while it was opened"}
	}
	return err
}

// upgrade brings a store of an older layout up to date. Each step leaves a store that opens; from the second on earlier
// versions refuse it.
func (s *Store) upgrade(f found) error {
	if f.identity.layout < layoutVersion {
		n := f.identity
		n.layout = layoutVersion
		if err := renewIdentity(s.fs, s.dir, n); err != nil {
			return fmt.Errorf("persist: upgrade %s: %w", s.dir, err)
		}
	}
	if f.layout == layoutVersion {
		return nil
	}
	b := s.db.NewBatch()
	if err := b.Set(keyFormat, encodeFormat(s.id), nil); err != nil {
		return err
	}
	return s.apply(b, true)
}

package persist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// storeRun runs a script on a store and, through its driver, on the model. After each power cut it continues with the disk that is left.
type storeRun struct {
	level Level
	mem   *memfs.FS
	d     *driver
	cut   *plantedCut
	step  int
	f     storeFigures
}

// storeFigures count what scripts have done.
type storeFigures struct{ commits, snapshots, aborted, reopened, cuts, planted, lost, backups int }

// plantedCut takes the image of the disk that a power cut before its n-th change from now on would leave.
type plantedCut struct {
	mu      sync.Mutex
	mem     *memfs.FS
	left    int // changes until then; 0: none is planted
	percent int
	acked   func() uint64
	image   *memfs.FS
	promise uint64 // the last commit acknowledged at that time
}

// String and MaybeError make it an errorfs.Injector.
func (c *plantedCut) String() string { return "planted cut" }

func (c *plantedCut) MaybeError(op errorfs.Op) error {
	if !powercut.Changes(op) {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left == 0 {
		c.promise = c.acked() // before the image: what is acknowledged later need not be in it
		c.image = crashImage(c.mem, c.percent)
	}
	return nil
}

// crashImage returns the disk after a power cut that a percentage of the unflushed data survives.
func crashImage(mem *memfs.FS, percent int) *memfs.FS {
	return mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: percent, RNG: rand.New(rand.NewPCG(uint64(percent), 51))})
}

// taken returns the image once; afterwards it returns nil.
func (c *plantedCut) taken() (image *memfs.FS, promise uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	image, c.image = c.image, nil
	return image, c.promise
}

// acked returns the last commit that must survive a power cut: the last one that Wait has acknowledged at level Sync, or DurableSeq.
func (r *storeRun) acked() uint64 {
	promise := r.d.s.DurableSeq()
	if r.level == Sync {
		promise = max(promise, r.d.acked.Load())
	}
	return promise
}

func (r *storeRun) open() (err error) {
	r.cut = &plantedCut{mem: r.mem, acked: r.acked}
	r.d.s, err = open("db", Options{FS: errorfs.Wrap(r.mem, r.cut), Level: r.level}, small)
	return err
}

// restart opens the store on an image of the disk, and sets the model back to the store's last commit.
func (r *storeRun) restart(image *memfs.FS, promise uint64) error {
	made := r.d.s.LastSeq()
	if err := r.d.s.Close(); err != nil {
		return err
	}
	r.mem = image
	err := r.open()
	if err == nil {
		err = compare(r.d.s, r.d, promise)
	}
	if err == nil {
		r.d.w, err = read(r.d.s)
	}
	if err != nil {
		return fmt.Errorf("after a power cut: %w", err)
	}
	d, last := r.d, r.d.s.LastSeq()
	r.f.lost += int(made - last)
	d.history = d.history[:last+1]
	d.acked.Store(last)
	d.publishedPages = map[string]pageSet{}
	for i := range 5 {
		d.dirtySets[fmt.Sprint("set", i)] = true
	}
	return nil
}

// do runs one operation of the script. arg determines all its details.
func (r *storeRun) do(kind, arg byte) error {
	r.d.rng = rand.New(rand.NewPCG(uint64(arg), uint64(r.step)))
	switch kind % 16 {
	default:
		return r.d.commit(1 + int(arg)%6)
	case 5, 6:
		_, err := r.d.append(int(arg) % 6)
		return err
	case 7:
		return r.d.s.Flush()
	case 8:
		r.f.snapshots++
		return r.d.snapshot(true)
	case 9:
		return r.d.writeOut(arg%4 > 0)
	case 10:
		r.f.aborted++
		return r.d.snapshot(false)
	case 11:
		return r.reopen()
	case 12:
		r.f.cuts++
		promise := r.acked()
		return r.restart(crashImage(r.mem, int(arg)%101), promise)
	case 13, 14:
		r.cut.mu.Lock()
		r.cut.left, r.cut.percent = 1+int(arg)/3, int(arg)%3*50
		r.cut.mu.Unlock()
		return nil
	case 15:
		return r.backup()
	}
}

func (r *storeRun) reopen() error {
	r.f.reopened++
	last := r.d.s.LastSeq()
	if err := r.d.s.Close(); err != nil {
		return err
	}
	if err := r.open(); err != nil {
		return err
	}
	return compare(r.d.s, r.d, last)
}

// backup backs up the store, restores the backup, and checks the restored store.
func (r *storeRun) backup() error {
	r.f.backups++
	fs, last, ctx := r.mem, r.d.s.LastSeq(), context.Background()
	to, again := fmt.Sprint("backup", r.step), fmt.Sprint("restored", r.step)
	if err := r.d.s.Backup(ctx, to); err != nil {
		return err
	}
	if _, err := Restore(ctx, to, again, Options{FS: fs}); err != nil {
		return err
	}
	s, err := open(again, Options{FS: fs, MustExist: true}, small)
	if err != nil {
		return err
	}
	return errors.Join(compare(s, r.d, last), s.Close())
}

// run runs a script. The first byte is the level, and each operation has two bytes. After each operation it may take a planted power cut.
func (r *storeRun) run(data []byte) (err error) {
	if len(data) == 0 {
		return nil
	}
	r.level, r.mem, r.d = Level(data[0]%3), memfs.NewCrashable(), newDriver(nil, 0)
	if err := r.open(); err != nil {
		return err
	}
	for data = data[1:]; len(data) >= 2 && r.step < 60 && err == nil; data = data[2:] {
		err = r.do(data[0], data[1])
		if image, promise := r.cut.taken(); err == nil && image != nil {
			r.f.planted++
			err = r.restart(image, promise)
		}
		if err != nil {
			err = fmt.Errorf("level %v, step %d (%d %d): %w", r.level, r.step, data[0]%16, data[1], err)
		}
		r.step++
	}
	if err == nil {
		err = r.reopen()
	}
	r.f.commits = len(r.d.history) - 1
	if r.d.s == nil { // the store could not be reopened
		return err
	}
	return errors.Join(err, r.d.s.Close())
}

// storeScript returns a random script.
func storeScript(seed uint64, steps int) []byte {
	rng := rand.New(rand.NewPCG(seed, 52))
	b := []byte{byte(seed)}
	for range 2 * steps {
		b = append(b, byte(rng.Uint32()))
	}
	return b
}

// FuzzStore runs its input as a script: commits, published and aborted snapshots, reopens, backups, and power cuts between operations and
// in the middle of them. The store must always hold the model after some commit, which must not be before the last acknowledged one.
func FuzzStore(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(storeScript(seed, 25))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := new(storeRun).run(data); err != nil {
			t.Fatal(err)
		}
	})
}

// TestStoreScripts runs random scripts as FuzzStore does, and checks that every kind of operation occurs.
func TestStoreScripts(t *testing.T) {
	var all storeFigures
	for seed := range uint64(6) {
		r := &storeRun{}
		require.NoError(t, r.run(storeScript(100+seed, 60)), "seed %d", seed)
		all = storeFigures{all.commits + r.f.commits, all.snapshots + r.f.snapshots, all.aborted + r.f.aborted, all.reopened + r.f.reopened,
			all.cuts + r.f.cuts, all.planted + r.f.planted, all.lost + r.f.lost, all.backups + r.f.backups}
	}
	t.Logf("%+v", all)
	for _, n := range []int{all.commits, all.snapshots, all.aborted, all.reopened, all.cuts, all.planted, all.lost, all.backups} {
		require.Positive(t, n, "%+v", all)
	}
}

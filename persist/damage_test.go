package persist

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/recovery"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// victim is the disk of a store after a kill -9, with its model. The damage tests copy the disk, damage the copy and open it.
type victim struct {
	disk *memfs.FS
	d    *driver // what it should hold
}

// newVictim runs fill on a new store, and keeps the disk as a power cut then leaves it: without unflushed data.
func newVictim(seed uint64, tune func(*pebble.Options), fill func(d *driver) error) (*victim, error) {
	mem := memfs.NewCrashable()
	s, err := open("db", Options{FS: mem}, tune)
	if err != nil {
		return nil, err
	}
	d := newDriver(s, seed)
	err = fill(d)
	v := &victim{disk: mem.CrashClone(vfs.CrashCloneCfg{}), d: d}
	return v, errors.Join(err, s.Close())
}

// copy returns a copy of the disk, for a test to damage.
func (v *victim) copy() *memfs.FS { return v.disk.CrashClone(vfs.CrashCloneCfg{}) }

// verdict is the outcome of opening a damaged store.
type verdict int

const (
	whole   verdict = iota // everything acknowledged is there
	refused                // Open said what is wrong, and changed nothing
	partly                 // Open found nothing wrong, reading said what is
	lost                   // something acknowledged is gone, and nobody was told
)

// try damages a copy of the disk and opens the store. It returns the verdict, or an error for what must never happen: Open fails with
// another error than damage, a refused store was changed, or the state is wrong.
func (v *victim) try(damage func(fs *memfs.FS) error) (verdict, error) {
	fs := v.copy()
	if err := damage(fs); err != nil {
		return 0, err
	}
	before := fingerprint(fs)
	s, err := open("db", Options{FS: fs}, nil)
	if err != nil {
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrDataLoss) && !errors.Is(err, ErrNewerFormat) && !errors.Is(err, ErrNotStore) {
			return 0, fmt.Errorf("refused for another reason: %w", err)
		}
		if diff := before.changed(fingerprint(fs)); diff != "" {
			return 0, fmt.Errorf("refused (%w), but changed %s", err, diff)
		}
		return refused, nil
	}
	defer s.Close()
	w, err := read(s)
	if err != nil {
		if !errors.Is(err, ErrCorrupt) {
			return 0, fmt.Errorf("read: %w", err)
		}
		return partly, nil
	}
	want, _ := v.d.at(s.LastSeq())
	if w.String() != want {
		return 0, fmt.Errorf("the state is not that after commit %d", s.LastSeq())
	}
	if s.LastSeq() < v.d.acked.Load() {
		return lost, nil
	}
	return whole, nil
}

// damages counts the verdicts of the damages that a test has tried.
type damages struct {
	mu    sync.Mutex
	count [lost + 1]int
	bad   []error
	where []string // the damages that lost commits
}

// each tries n damages in parallel. make returns the i-th one.
func (r *damages) each(v *victim, n int, make func(i int) (string, func(fs *memfs.FS) error)) {
	var wg sync.WaitGroup
	next := 0
	for range 4 {
		wg.Go(func() {
			for {
				r.mu.Lock()
				i := next
				next++
				r.mu.Unlock()
				if i >= n {
					return
				}
				name, damage := make(i)
				got, err := v.try(damage)
				r.add(name, got, err)
			}
		})
	}
	wg.Wait()
}

func (r *damages) add(name string, got verdict, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.bad = append(r.bad, fmt.Errorf("%s: %w", name, err))
		return
	}
	r.count[got]++
	if got == lost {
		r.where = append(r.where, name)
	}
}

func (r *damages) tried() int {
	n := len(r.bad)
	for _, c := range r.count {
		n += c
	}
	return n
}

// err returns the first errors. silent is the number of losses that may pass unnoticed.
func (r *damages) err(silent int) error {
	if len(r.bad) > 0 {
		return fmt.Errorf("%d broken promises, the first: %w", len(r.bad), r.bad[0])
	}
	if n := r.count[lost]; n > silent {
		slices.Sort(r.where)
		return fmt.Errorf("%d silent losses, expected %d at most: %s", n, silent, strings.Join(r.where[:min(n, 5)], "; "))
	}
	return nil
}

func (r *damages) String() string {
	return fmt.Sprintf("%d tried: %d refused at open with the directory unchanged, %d reported when read, %d with nothing acknowledged missing, %d silent losses",
		r.tried(), r.count[refused], r.count[partly], r.count[whole], r.count[lost])
}

// prints has a checksum of each file by path.
type prints map[string]uint32

// fingerprint returns the checksums of all files in the store's directory, except the locks.
func fingerprint(fs FS) prints {
	out := prints{}
	var walk func(dir string)
	walk = func(dir string) {
		names, _ := fs.List(dir)
		for _, name := range names {
			path := fs.PathJoin(dir, name)
			if info, err := fs.Stat(path); err == nil && info.IsDir() {
				walk(path)
			} else if name != storedir.LockName {
				v, _ := storedir.ReadWhole(fs, path)
				out[path] = format.Checksum(v) + uint32(len(v))
			}
		}
	}
	walk("db")
	return out
}

func (p prints) changed(now prints) string {
	for path, sum := range p {
		if got, ok := now[path]; !ok || got != sum {
			return path
		}
	}
	for path := range now {
		if _, ok := p[path]; !ok {
			return path
		}
	}
	return ""
}

// edit changes the bytes of a file.
func edit(fs FS, path string, change func(v []byte) []byte) error {
	v, err := storedir.ReadWhole(fs, path)
	if err != nil {
		return err
	}
	return storedir.WriteFile(fs, path, change(v))
}

func flip(at int, bit byte) func(v []byte) []byte {
	return func(v []byte) []byte { v[at] ^= 1 << (bit % 8); return v }
}

func cut(at int) func(v []byte) []byte {
	return func(v []byte) []byte { return v[:at] }
}

// zero clears 4 KiB, or less at the end of the file.
func zero(at int) func(v []byte) []byte {
	return func(v []byte) []byte {
		clear(v[at:min(len(v), at+4<<10)])
		return v
	}
}

// files lists the paths in db/db that start or end with part, in order.
func filesLike(fs FS, part string) []string {
	names, _ := fs.List("db/db")
	slices.Sort(names)
	var out []string
	for _, n := range names {
		if strings.HasPrefix(n, part) || strings.HasSuffix(n, part) {
			out = append(out, "db/db/"+n)
		}
	}
	return out
}

// liveLog returns the path and the bytes of the newest log.
func (v *victim) liveLog() (string, []byte) {
	logs := filesLike(v.disk, recovery.WalSuffix)
	path := logs[len(logs)-1]
	b, _ := storedir.ReadWhole(v.disk, path)
	return path, bytes.TrimRight(b, "\x00")
}

// keepFile puts a copy of a file of one disk onto another.
func keepFile(from FS, path string, to FS) error {
	b, err := storedir.ReadWhole(from, path)
	if err != nil {
		return err
	}
	return storedir.WriteFile(to, path, b)
}

// grow returns a function that makes n acknowledged commits of about size bytes. Each is flushed alone, so each is a group.
func grow(n, size int) func(d *driver) error {
	return func(d *driver) error {
		for i := range n {
			var b Batch
			b.Note(notesAt(d.next()))
			if d.w.sets["a"] == nil {
				b.Create("a", nil)
				d.w.apply(wal.Effect{Kind: wal.Create, Set: "a"})
			}
			v := bytes.Repeat([]byte{byte(i), byte(i >> 8), 7}, size/3)
			e := wal.Effect{Kind: wal.Put, Set: "a", Member: fmt.Appendf(nil, "m%d", i%20), Value: v}
			b.Put(e.Set, e.Member, e.Value)
			d.w.apply(e)
			d.history = append(d.history, d.w.String())
			seq, err := d.s.Append(&b)
			if err == nil {
				err = d.s.Wait(context.Background(), seq)
			}
			if err != nil {
				return err
			}
			d.acked.Store(seq)
		}
		return nil
	}
}

// markNow writes the high-water mark at once. Otherwise a background goroutine writes it within a second.
func markNow(d *driver) error { return d.s.log.DB.Mark.Write() }

// both returns a function that calls a and then b.
func both(steps ...func(d *driver) error) func(d *driver) error {
	return func(d *driver) error {
		for _, step := range steps {
			if err := step(d); err != nil {
				return err
			}
		}
		return nil
	}
}

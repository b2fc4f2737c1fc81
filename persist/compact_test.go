package persist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/sstable/block"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/traces"
)

// plain is small without compression, so that a search of the bytes finds what is in blocks.
func plain(o *pebble.Options) {
	small(o)
	for i := range o.Levels {
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return block.NoCompression }
	}
}

// eraser puts a name into a store in every way that a store has, among other commits, and deletes it.
type eraser struct {
	mem  *memfs.FS
	o    Options
	s    *Store
	tune func(*pebble.Options)
	rng  *rand.Rand
	name string
	wrote,
	copies int
}

// other makes commits that the name is not in, so many that Pebble flushes and begins new logs.
func (r *eraser) other(n int) error {
	var seq uint64
	for range n {
		var b Batch
		r.wrote++
		b.PutPrivate(fmt.Appendf(nil, "%c%06d", "akz"[r.rng.IntN(3)], r.rng.IntN(3000)), noise(r.rng.IntN(900)))
		if r.rng.IntN(10) == 0 {
			b.DeletePrivate(fmt.Appendf(nil, "%c%06d", "akz"[r.rng.IntN(3)], r.rng.IntN(3000)))
		}
		b.Create("others", nil)
		b.Put("others", fmt.Appendf(nil, "%d", r.wrote), nil)
		var err error
		if seq, err = r.s.Append(&b); err != nil {
			return err
		}
	}
	return r.s.Wait(context.Background(), seq)
}

func (r *eraser) commit(fill func(b *Batch)) error {
	var b Batch
	fill(&b)
	seq, err := r.s.Append(&b)
	if err == nil {
		err = r.s.Wait(context.Background(), seq)
	}
	return err
}

// put puts the name into keys and values of private keys, among them the first and the last key of a table, and into sets.
func (r *eraser) put(b *Batch) {
	var n Notes
	_ = n.Add([]byte("note of " + r.name)) // it is short
	b.Note(&n)
	b.PutPrivate([]byte(" "+r.name), []byte("x"))
	b.PutPrivate([]byte("board.meta\x00b1\x00"+r.name), []byte("of "+r.name))
	b.PutPrivate([]byte("\xfe"+r.name+"\xff"), nil)
	b.PutPrivate([]byte("kept"), []byte(r.name))
	b.Create("board", []byte(r.name))
	b.Put("board", []byte(r.name), []byte("1"))
	b.Create(r.name, nil)
}

// erase deletes what put has put, and replaces what it does not delete.
func (r *eraser) erase(b *Batch) {
	b.DeletePrivate([]byte(" " + r.name))
	b.DeletePrivate([]byte("board.meta\x00b1\x00" + r.name))
	b.DeletePrivate([]byte("\xfe" + r.name + "\xff"))
	b.PutPrivate([]byte("kept"), []byte("nobody"))
	b.Remove("board", []byte(r.name))
	b.Create("board", []byte("nobody"))
	b.Drop(r.name)
}

// snapshot publishes the sets with the name, or without.
func (r *eraser) snapshot(with bool) error {
	last := r.s.LastSeq()
	sn, err := r.s.Snapshot(last)
	if err != nil {
		return err
	}
	meta, page := "nobody", string(noise(20_000))
	if with {
		meta, page = r.name, page+r.name+page
	}
	err = errors.Join(sn.WriteSet("board", []byte(meta), last, 2, pagesOf(page, page, string(noise(10_000)))),
		sn.WriteSet("others", nil, last, 1, pagesOf(string(noise(100)))))
	if err == nil && with {
		err = sn.WriteSet(r.name, nil, last, 0, pagesOf())
	} else {
		sn.DropSet(r.name)
	}
	if err == nil {
		err = sn.Publish()
	}
	return err
}

// step does one thing that moves bytes from one file to another. with says whether the name is in the store.
func (r *eraser) step(with bool) (err error) {
	switch r.rng.IntN(7) {
	case 0:
		err = r.snapshot(with)
	case 1:
		if err = r.s.Close(); err == nil {
			r.s, err = open("db", r.o, r.tune)
		}
	case 2:
		err = r.s.log.DB.Flush()
	case 3:
		r.copies++
		err = r.s.Backup(context.Background(), fmt.Sprint("copy", r.copies))
	case 4:
		err = r.s.log.DB.Guard(func() error { return r.s.log.DB.Pebble.Compact(context.Background(), []byte("l"), []byte("v"), false) })
	default:
		err = r.other(1 + r.rng.IntN(200))
	}
	return err
}

// proveErased checks P21: it erases a name, compacts, and searches every file, those of a backup made afterwards too. It returns the kinds of files
// that had the name before.
func proveErased(seed uint64, tune func(*pebble.Options)) (kinds map[string]bool, err error) {
	r := &eraser{mem: memfs.New(), tune: tune, rng: rand.New(rand.NewPCG(seed, 21)), name: traces.Name(seed, 16+int(seed%5)*50)}
	r.o = Options{FS: r.mem, RetainBytes: int64(seed % 3 * 200_000)}
	if r.s, err = open("db", r.o, tune); err != nil {
		return nil, err
	}
	for range 3 {
		for _, with := range []bool{true, false} {
			fill := r.put
			if !with {
				fill = r.erase
			}
			err := errors.Join(r.other(50), r.commit(fill))
			for range 1 + r.rng.IntN(6) {
				err = errors.Join(err, r.step(with))
			}
			if err != nil {
				return nil, err
			}
		}
	}
	if err := errors.Join(r.snapshot(true), r.other(50), r.commit(r.put), r.commit(r.erase), r.snapshot(false)); err != nil {
		return nil, err
	}
	before, err := traces.Find(r.mem, "db", r.name)
	if err != nil {
		return nil, err
	}
	kinds = map[string]bool{}
	for _, t := range before {
		kinds[strings.TrimRight(strings.TrimLeft(r.mem.PathBase(t.File), "0123456789"), "0123456789")] = true
	}
	if _, err := r.s.Compact(context.Background(), nil); err != nil {
		return nil, err
	}
	return kinds, errors.Join(r.erased("db"), r.s.Backup(context.Background(), "after"), r.erased("after"), r.whole())
}

// erased returns an error if a file of a directory has the name.
func (r *eraser) erased(dir string) error {
	after, err := traces.Find(r.mem, dir, r.name)
	if err == nil && len(after) > 0 {
		err = fmt.Errorf("%d traces are left, the first: %v", len(after), after[0])
	}
	return err
}

// whole checks that the store has no problem, goes on and opens again.
func (r *eraser) whole() error {
	im, err := r.s.Image()
	if err != nil {
		return err
	}
	rep, err := im.Check(context.Background(), CheckOptions{})
	if err = errors.Join(err, im.Close()); err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("%v", rep.Problems)
	}
	if err != nil {
		return err
	}
	if err := errors.Join(r.other(300), r.s.Close()); err != nil {
		return err
	}
	if r.s, err = open("db", r.o, r.tune); err != nil {
		return err
	}
	v, ok, err := r.s.Private([]byte("kept"))
	if err == nil && (!ok || string(v) != "nobody") {
		err = fmt.Errorf("a key has the value %q", v)
	}
	return errors.Join(err, r.other(10), r.erased("db"), r.s.Close())
}

// TestCompactErases: after Compact no file has a byte of what was deleted before (P21): with compression, and without, so that the bytes of blocks
// can be read. Before that logs, tables and manifests all have the name in one of the rounds, or the test would prove nothing; when a manifest has it depends
// on when Pebble flushes.
func TestCompactErases(t *testing.T) {
	all := map[string]bool{}
	want := []string{".log", ".sst", "MANIFEST-"}
	isMissing := func(kind string) bool { return !all[kind] }
	rounds := uint64(matrix.Pick(6, 200))
	for seed := uint64(0); seed < rounds || slices.ContainsFunc(want, isMissing) && seed < 20*rounds; seed++ {
		tune := plain
		if seed%2 == 1 {
			tune = small
		}
		if seed%4 > 1 {
			was := spanBytes
			spanBytes = 64 << 10
			defer func() { spanBytes = was }()
		}
		kinds, err := proveErased(seed, tune)
		require.NoError(t, err, "seed %d", seed)
		for kind := range kinds {
			all[kind] = true
		}
	}
	for _, kind := range want {
		require.True(t, all[kind], kind)
	}
}

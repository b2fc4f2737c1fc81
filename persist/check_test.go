package persist

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/persist/internal/format"
	"github.com/zrankdb/zrank/persist/internal/storedir"
	"github.com/zrankdb/zrank/persist/wal"
)

// files is the contents of a directory by path.
type files map[string][]byte

// filesOf reads all files below a directory. It skips files that Pebble deletes meanwhile.
func filesOf(fs FS, dir string) (files, error) {
	all := files{}
	names, err := fs.List(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path := fs.PathJoin(dir, name)
		info, err := fs.Stat(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			below, err := filesOf(fs, path)
			if err != nil {
				return nil, err
			}
			maps.Copy(all, below)
			continue
		}
		f, err := fs.Open(path)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if all[path], err = io.ReadAll(f); err != nil {
			return nil, err
		}
		_ = f.Close()
	}
	return all, nil
}

// fs returns a new file system with the files.
func (f files) fs() (FS, error) {
	fs := MemFS()
	for path, b := range f {
		if err := fs.MkdirAll(fs.PathDir(path), 0o755); err != nil {
			return nil, err
		}
		if err := storedir.WriteFile(fs, path, slices.Clone(b)); err != nil {
			return nil, err
		}
	}
	return fs, nil
}

// with returns the files with one of them changed; nil bytes remove it.
func (f files) with(path string, b []byte) files {
	f = maps.Clone(f)
	if f[path] = b; b == nil {
		delete(f, path)
	}
	return f
}

// names returns the paths of the files whose content Pebble or this package reads, in order.
func (f files) names() []string {
	var names []string
	for path, b := range f {
		if len(b) > 0 && !strings.Contains(path, "OPTIONS") {
			names = append(names, path)
		}
	}
	slices.Sort(names)
	return names
}

// sampleStore makes a store with tables and logs. It returns the store's files, its model, and the last commit at the time of the last
// snapshot.
func sampleStore(seed uint64) (f files, d *driver, published uint64, err error) {
	fs := MemFS()
	s, err := open("db", Options{FS: fs}, small)
	if err != nil {
		return nil, nil, 0, err
	}
	d = newDriver(s, seed)
	for range 6 {
		err = errors.Join(err, d.commit(40), d.snapshot(true))
		published = s.LastSeq()
	}
	err = errors.Join(err, d.commit(60), s.Close())
	if err != nil {
		return nil, nil, 0, err
	}
	f, err = filesOf(fs, "db")
	return f, d, published, err
}

// checkDir copies the files to a new file system and checks the store there.
func checkDir(f files, o CheckOptions) (Report, error) {
	fs, err := f.fs()
	if err != nil {
		return Report{}, err
	}
	im, err := OpenImage("db", Options{FS: fs})
	if err != nil {
		return Report{}, err
	}
	rep, err := im.Check(context.Background(), o)
	return rep, errors.Join(err, im.Close())
}

// TestCheck checks an undamaged store, first open and then closed, and compares the counts of the report and the content that the
// callbacks get. It also checks cancellation and an error of the Set callback.
func TestCheck(t *testing.T) {
	fs := MemFS()
	s := mustOpen(t, fs, Options{Level: None})
	d := newDriver(s, 5)
	require.NoError(t, d.commit(50))
	require.NoError(t, d.snapshot(true))
	require.NoError(t, d.commit(20))
	made := s.LastSeq()
	w := newWorld()
	o := CheckOptions{
		Effect: func(_ uint64, e wal.Effect) { w.apply(e) },
		Set: func(r SetRecord, pages iter.Seq[[]byte]) error {
			w.meta[r.Key], w.sets[r.Key] = string(r.Meta), map[string]string{}
			for p := range pages {
				decodeTestPage(p, w.sets[r.Key])
			}
			return nil
		},
	}
	steps := 0
	o.Progress = func(Report) { steps++ }
	im, err := s.Image()
	require.NoError(t, err)
	require.NoError(t, d.commit(20)) // is not in the image
	rep, err := im.Check(t.Context(), o)
	require.NoError(t, err)
	require.Empty(t, rep.Problems)
	require.Equal(t, made, rep.LastSeq)
	require.Equal(t, rep.PagesOf, rep.Pages)
	require.Equal(t, len(w.sets), rep.Sets)
	require.Positive(t, rep.PrivateKeys)
	require.Positive(t, steps)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = im.Check(cancelled, CheckOptions{})
	require.ErrorIs(t, err, context.Canceled)
	_, err = OpenImage("db", Options{FS: fs})
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, im.Close())
	require.NoError(t, s.Close())
	_, err = s.Image()
	require.ErrorIs(t, err, ErrClosed)

	im, err = OpenImage("db", Options{FS: fs})
	require.NoError(t, err)
	rep, err = im.Check(t.Context(), CheckOptions{Set: func(SetRecord, iter.Seq[[]byte]) error { return errors.New("not liked") }})
	require.NoError(t, err)
	require.Equal(t, made+20, rep.LastSeq)
	require.Len(t, rep.Problems, rep.Sets)
	require.Contains(t, rep.Problems[0].String(), "not liked")
	require.NoError(t, im.Close())
	for _, dir := range []string{"nothing", "."} {
		_, err = OpenImage(dir, Options{FS: MemFS()})
		require.ErrorIs(t, err, ErrNotStore)
	}
}

// damage writes directly into the Pebble database of a sample store, and returns the report of a check.
func damage(t *testing.T, change func(b *pebble.Batch, s *Store)) Report {
	t.Helper()
	fs := MemFS()
	s := mustOpen(t, fs, Options{})
	for i := range 3 {
		mustAppend(t, s, put("a", fmt.Sprint(i), "1"))
	}
	sn, err := s.Snapshot(2)
	require.NoError(t, err)
	require.NoError(t, sn.WriteSet("a", nil, 2, 2, pagesOf("one", "two")))
	require.NoError(t, sn.WriteSet("b", nil, 3, 2, pagesOf("three")))
	require.NoError(t, sn.Publish())
	b := s.log.DB.Pebble.NewBatch()
	change(b, s)
	require.NoError(t, s.log.DB.Pebble.Apply(b, pebble.Sync))
	im, err := s.Image()
	require.NoError(t, err)
	rep, err := im.Check(t.Context(), CheckOptions{})
	require.NoError(t, err)
	require.NoError(t, im.Close())
	require.NoError(t, s.Close())
	return rep
}

// TestCheckFinds damages a store in one way after the other. Each time the report must have a problem whose text contains the key of the
// table; "" means no problem.
func TestCheckFinds(t *testing.T) {
	set := func(key, value []byte) func(*pebble.Batch, *Store) {
		return func(b *pebble.Batch, _ *Store) { _ = b.Set(key, value, nil) }
	}
	page := func(number, id uint64, i uint32, text string) func(*pebble.Batch, *Store) {
		key := format.KeyPage(number, id, i)
		value := make([]byte, 4+len(text))
		format.SealPage(value, key, []byte(text))
		return set(key, value)
	}
	for want, change := range map[string]func(*pebble.Batch, *Store){
		"":                       func(b *pebble.Batch, _ *Store) { _ = b.LogData(nil, nil) },
		"m/format: at byte 0":    set(format.KeyFormat, []byte("x")),
		"another store":          set(format.KeyFormat, format.EncodeFormat(format.StoreID{1})),
		"m/current":              func(b *pebble.Batch, _ *Store) { _ = b.Delete(format.KeyCurrent, nil) },
		"page is missing":        func(b *pebble.Batch, _ *Store) { _ = b.Delete(format.KeyPage(1, 1, 1), nil) },
		"p/1/1/0":                set(format.KeyPage(1, 1, 0), []byte("xxxxone")),
		"the set's record says":  page(1, 1, 0, "eno"),
		"no set has this page":   page(1, 1, 2, "three"),
		`s/"b"`:                  set(format.KeySet("b"), []byte("x")),
		"log starts at 3":        set(format.KeyLog(1), []byte("x")),
		"l/3":                    set(format.KeyLog(3), []byte("x")),
		"not the key of a group": set([]byte("l/abc"), []byte("x")),
		"log ends at": func(b *pebble.Batch, _ *Store) {
			_ = b.Set(format.KeyCurrent, (format.Pointer{Snapshot: 9, Upto: 9, Start: 3, Chain: 1, Millis: 1}).Encode(), nil)
		},
		"written by snapshot 1": func(b *pebble.Batch, _ *Store) {
			_ = b.Set(format.KeyCurrent, (format.Pointer{Snapshot: 0, Upto: 2, Start: 3, Chain: 1, Millis: 1}).Encode(), nil)
		},
		"its pages go up to commit 3": func(b *pebble.Batch, _ *Store) { _ = b.Delete(format.KeyLog(3), nil) },
		"group follows one": func(b *pebble.Batch, _ *Store) {
			_ = b.Set(format.KeyCurrent, (format.Pointer{Snapshot: 1, Upto: 2, Start: 3, Chain: 1, Millis: 1}).Encode(), nil)
		},
		`"zzz"`:     set([]byte("zzz"), nil),
		`"m/other"`: set([]byte("m/other"), nil),
	} {
		rep := damage(t, change)
		var text []string
		for _, p := range rep.Problems {
			text = append(text, p.String())
		}
		if want == "" {
			require.Empty(t, text)
			continue
		}
		require.Contains(t, strings.Join(text, "\n"), want)
	}
}

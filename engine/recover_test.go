package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// TestLazyLoading (E5): sets are read when they are first used; Open reads only those that the log's tail changes.
func TestLazyLoading(t *testing.T) {
	fs := persist.MemFS()
	e := mustOpen(t, fs, Options{})
	for i := range 20 {
		key := fmt.Sprintf("set%02d", i)
		mustUpdate(t, e, []string{key}, func(tx *Tx) { add(t, tx, key, "x", float64(i)) })
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	loaded := func(want int) {
		t.Helper()
		st, err := e.Stats()
		require.NoError(t, err)
		require.Equal(t, want, st.Loaded)
		require.Equal(t, want, st.Members)
		require.Equal(t, 20, st.Sets)
	}
	recovered := func(sets, loaded, commits int, last uint64) {
		t.Helper()
		r := e.Recovery()
		require.Positive(t, r.Duration)
		r.Duration, r.Store = 0, persist.Recovery{}
		require.Equal(t, Recovery{Sets: sets, Loaded: loaded, Commits: commits, LastSeq: last}, r)
	}
	e = mustOpen(t, fs, Options{})
	recovered(20, 0, 0, 20)
	loaded(0)
	mustView(t, e, []string{"set03", "absent"}, func(*Tx) {})
	loaded(1)
	mustUpdate(t, e, []string{"set03", "set04"}, func(tx *Tx) { add(t, tx, "set04", "x", 9) })
	loaded(2)
	mustUpdate(t, e, nil, func(tx *Tx) { require.NoError(t, tx.Put("coins", nil)) })
	mustUpdate(t, e, []string{"set05", "set06"}, func(tx *Tx) {
		add(t, tx, "set05", "x", 9)
		add(t, tx, "set06", "x", 9)
	})
	loaded(4)
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	recovered(20, 3, 2, 23) // a commit of private keys only is not replayed
	loaded(3)
	require.NoError(t, e.Snapshot())
	loaded(3)
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	recovered(20, 0, 0, 23)
	loaded(0)
	require.NoError(t, e.Close())
}

// corrupt writes a store that an engine could not have written: a commit filled by fill, and perhaps a snapshot.
func corrupt(t *testing.T, fill func(b *persist.Batch), snapshot bool) persist.FS {
	fs := persist.MemFS()
	s, err := persist.Open("db", persist.Options{FS: fs})
	require.NoError(t, err)
	var b persist.Batch
	b.PutPrivate([]byte("k"), nil)
	if fill != nil {
		fill(&b)
	}
	_, err = s.Append(&b)
	require.NoError(t, err)
	if snapshot {
		sn, err := s.Snapshot(1)
		require.NoError(t, err)
		page := []byte("no page")
		require.NoError(t, sn.WriteSet("bad", facts.Facts{}.Encode(), 1, 1, slices.Values([][]byte{page})))
		require.NoError(t, sn.WriteSet("bad facts", []byte("12345678"), 1, 1, slices.Values([][]byte{page})))
		require.NoError(t, sn.WriteSet("bad width", facts.Facts{TieWidth: 7}.Encode(), 1, 1, slices.Values([][]byte{page})))
		good, err := zset.New(zset.Options{})
		require.NoError(t, err)
		require.NoError(t, sn.WriteSet("good", facts.Facts{}.Encode(), 1, 0, slices.Values([][]byte{good.AppendPage(nil, 0)})))
		require.NoError(t, sn.Publish())
	}
	require.NoError(t, s.Close())
	return fs
}

// TestCorruptLog: effects that make no sense stop Open with ErrCorrupt, and it names the set.
func TestCorruptLog(t *testing.T) {
	create := func(b *persist.Batch, width int) {
		b.Create("arena", facts.Facts{TieWidth: width, Version: 1}.Encode())
	}
	score := slices.Concat([]byte{0x40}, make([]byte, 7))
	nan := []byte(strings.Repeat("\xff", 8))
	require.True(t, math.IsNaN(math.Float64frombits(math.MaxUint64)))
	rows := map[string]func(b *persist.Batch){
		"facts too short": func(b *persist.Batch) { b.Create("arena", []byte{0}) },
		"facts too long":  func(b *persist.Batch) { b.Create("arena", make([]byte, facts.ShortFacts+1)) },
		"tie width":       func(b *persist.Batch) { create(b, 3) },
		"put in no set":   func(b *persist.Batch) { b.Put("arena", []byte("x"), score) },
		"remove, no set":  func(b *persist.Batch) { b.Remove("arena", []byte("x")) },
		"put after drop":  func(b *persist.Batch) { create(b, 0); b.Drop("arena"); b.Put("arena", []byte("x"), score) },
		"value too short": func(b *persist.Batch) { create(b, 0); b.Put("arena", []byte("x"), score[1:]) },
		"tie missing":     func(b *persist.Batch) { create(b, 8); b.Put("arena", []byte("x"), score) },
		"NaN":             func(b *persist.Batch) { create(b, 0); b.Put("arena", []byte("x"), nan) },
	}
	for name, fill := range rows {
		t.Run(name, func(t *testing.T) {
			fs := corrupt(t, fill, false)
			for range 2 { // the directory is free again
				_, err := Open("db", Options{FS: fs})
				require.ErrorIs(t, err, ErrCorrupt)
				require.ErrorContains(t, err, "arena")
			}
		})
	}
}

// TestCorruptSet: each use of a set that cannot be read returns ErrCorrupt. Other sets are not affected, and no lock stays held.
func TestCorruptSet(t *testing.T) {
	e := mustOpen(t, corrupt(t, nil, true), Options{})
	for _, key := range []string{"bad", "bad facts", "bad width"} {
		for range 2 {
			require.ErrorIs(t, e.View(t.Context(), nil, "absent", key, "good"), ErrCorrupt, key)
			require.ErrorIs(t, e.Update(t.Context(), nil, "absent", key, "good"), ErrCorrupt, key)
		}
	}
	mustUpdate(t, e, []string{"absent", "good"}, func(tx *Tx) { add(t, tx, "good", "x", 1) })
	st, err := e.Stats()
	require.NoError(t, err)
	require.Equal(t, 4, st.Sets)
	require.Equal(t, 1, st.Loaded)
	require.NoError(t, e.Close())
}

// TestCorruptSetInTail: the log's tail changes a set that cannot be read.
func TestCorruptSetInTail(t *testing.T) {
	fs := corrupt(t, nil, true)
	s, err := persist.Open("db", persist.Options{FS: fs})
	require.NoError(t, err)
	var b persist.Batch
	b.Create("bad", facts.Facts{}.Encode())
	_, err = s.Append(&b)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	_, err = Open("db", Options{FS: fs})
	require.ErrorIs(t, err, ErrCorrupt)
	require.ErrorContains(t, err, "bad")
}

// TestOpenErrors: a directory in use, a directory of something else, and invalid options.
func TestOpenErrors(t *testing.T) {
	fs := memfs.New()
	_, err := Open("db", Options{FS: fs, MustExist: true})
	require.ErrorIs(t, err, ErrNotStore)
	e := mustOpen(t, fs, Options{})
	_, err = Open("db", Options{FS: fs})
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, e.Close())
	require.NoError(t, mustOpen(t, fs, Options{MustExist: true}).Close())
	require.NoError(t, fs.MkdirAll("other", 0o755))
	f, err := fs.Create("other/file", vfs.WriteCategoryUnspecified)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	_, err = Open("other", Options{FS: fs})
	require.ErrorIs(t, err, ErrNotStore)
	wrong := Options{Durability: 9, Interval: -1}
	for _, err := range []error{wrong.Validate(), func() error { _, err := New(wrong); return err }(),
		func() error { _, err := Open("x", wrong); return err }()} {
		require.ErrorContains(t, err, "9")
		require.ErrorContains(t, err, "-1")
	}
	for _, level := range []Durability{Sync, Interval, None} {
		got, err := ParseDurability(level.String())
		require.NoError(t, err)
		require.Equal(t, level, got)
	}
}

package rdbfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/redistest"
	"github.com/zrankdb/zrank/rdb"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
	"github.com/zrankdb/zrank/zset"
)

var now = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// open opens an engine on a file system.
func open(t testing.TB, fs *memfs.FS) *engine.Engine {
	t.Helper()
	e, err := engine.Open("d", engine.Options{FS: fs, Clock: func() time.Time { return now }})
	require.NoError(t, err)
	return e
}

// pairs yields entries in descending order.
func pairs(n int) func(yield func([]byte, float64) bool) {
	return func(yield func([]byte, float64) bool) {
		for i := n - 1; i >= 0; i-- {
			if !yield(fmt.Appendf(nil, "member:%05d", i), float64(i)/4) {
				return
			}
		}
	}
}

// sample writes a file with values of each kind, small and big, in two databases; sets is how many small sorted sets it has.
func sample(t testing.TB, sets int) []byte {
	t.Helper()
	var b bytes.Buffer
	f, err := rdb.NewWriter(&b, rdb.WriteOptions{Compress: true})
	require.NoError(t, err)
	require.NoError(t, f.Aux("redis-ver", "6.2.1"))
	require.NoError(t, f.SelectDB(0))
	never := time.Time{}
	for i := range sets {
		require.NoError(t, f.SortedSet(fmt.Appendf(nil, "lb:%d", i), never, 1+i%7, pairs(1+i%7)))
	}
	require.NoError(t, f.SortedSet([]byte("big"), now.Add(time.Hour), 5000, pairs(5000)))
	require.NoError(t, f.String([]byte("text"), now.Add(time.Minute), []byte("hello")))
	require.NoError(t, f.String([]byte("gone"), now.Add(-time.Minute), []byte("hello")))
	require.NoError(t, f.Hash([]byte("player:1"), never, 1, func(yield func(_, _ []byte) bool) { yield([]byte("name"), []byte("ada")) }))
	require.NoError(t, f.SelectDB(3))
	require.NoError(t, f.Set([]byte("ints"), never, 2, func(yield func([]byte) bool) { _ = yield([]byte("7")) && yield([]byte("-5")) }))
	require.NoError(t, f.SortedSet([]byte("big"), never, 3000, pairs(3000)))
	require.NoError(t, f.SortedSet([]byte("lb:0"), never, 2, pairs(2)))
	require.NoError(t, f.Close())
	return b.Bytes()
}

// export returns the keys of an engine as a file.
func export(t testing.TB, e *engine.Engine) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := rdbfile.Export(t.Context(), e, &b, rdbfile.ExportOptions{DB: rdbfile.AnyDatabase})
	require.NoError(t, err)
	return b.Bytes()
}

var all = rdbfile.ImportOptions{DB: rdbfile.AnyDatabase}

func TestImport(t *testing.T) {
	fs := memfs.New()
	e := open(t, fs)
	o := all
	o.DryRun = true
	dry, err := rdbfile.Import(t.Context(), e, bytes.NewReader(sample(t, 20)), o)
	require.NoError(t, err)
	n, err := e.Count()
	require.NoError(t, err)
	require.Zero(t, n)
	r, err := rdbfile.Import(t.Context(), e, bytes.NewReader(sample(t, 20)), all)
	require.NoError(t, err)
	require.Equal(t, dry, r)
	require.Equal(t, &rdbfile.Tally{Keys: 23, Members: 8079, Example: "lb:0"}, r.Stored["zset"])
	require.Equal(t, &rdbfile.Tally{Keys: 1, Example: "text"}, r.Stored["string"])
	require.Equal(t, &rdbfile.Tally{Keys: 1, Members: 2, Example: "ints"}, r.Stored["set"])
	require.Equal(t, map[int]int{0: 22, 3: 3}, r.Databases)
	require.Equal(t, map[string]*rdbfile.Tally{"hash": {Keys: 1, Example: "player:1"}}, r.Others)
	require.Equal(t, rdbfile.Tally{Keys: 1, Example: "gone"}, r.Expired)
	require.Equal(t, "6.2.1", r.Aux["redis-ver"])
	require.EqualValues(t, 27, r.Keys)
	at, ok, err := e.Expiry("big")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, now.Add(time.Hour).UnixMilli(), at.UnixMilli())
	before := export(t, e)
	require.NoError(t, e.Close())
	e = open(t, fs)
	require.Equal(t, before, export(t, e), "after opening again")

	r, err = rdbfile.Import(t.Context(), e, bytes.NewReader(sample(t, 20)), all)
	require.NoError(t, err)
	require.Equal(t, 25, r.Existing.Keys)
	require.Empty(t, r.Stored)
	require.NoError(t, e.Update(t.Context(), func(tx *engine.Tx) error {
		for _, key := range []string{"lb:1", "big"} {
			s, err := tx.Set(key)
			require.NoError(t, err)
			_, err = s.Add([]byte("own"), 1)
			require.NoError(t, err)
		}
		return nil
	}, "lb:1", "big"))
	o = all
	o.Replace = true
	_, err = rdbfile.Import(t.Context(), e, bytes.NewReader(sample(t, 20)), o)
	require.NoError(t, err)
	require.Equal(t, before, export(t, e), "after replacing")
	require.NoError(t, e.Close())
}

func TestChoice(t *testing.T) {
	e := open(t, memfs.New())
	defer e.Close()
	r, err := rdbfile.Import(t.Context(), e, bytes.NewReader(sample(t, 20)), rdbfile.ImportOptions{DB: 3, Match: "b*"})
	require.NoError(t, err)
	require.Equal(t, map[int]int{3: 1}, r.Databases)
	require.Equal(t, 26, r.Unasked)
	x, err := rdbfile.Export(t.Context(), e, io.Discard, rdbfile.ExportOptions{DB: 3, Match: "big"})
	require.NoError(t, err)
	require.Equal(t, map[string]*rdbfile.Tally{"zset": {Keys: 1, Members: 3000, Example: "big"}}, x.Written)
	_, err = rdbfile.Import(t.Context(), e, nil, rdbfile.ImportOptions{DB: 256})
	require.ErrorContains(t, err, "DB is 256")
}

// TestRefused: keys of boards, sets with int64 scores and members that come twice.
func TestRefused(t *testing.T) {
	e := open(t, memfs.New())
	defer e.Close()
	ints, err := zset.NewIntBuilder(zset.Options{})
	require.NoError(t, err)
	require.NoError(t, ints.Add([]byte("m"), 1))
	require.NoError(t, e.StoreInts(t.Context(), "ints", ints.Set()))
	var b bytes.Buffer
	f, err := rdb.NewWriter(&b, rdb.WriteOptions{})
	require.NoError(t, err)
	for _, key := range []string{"board/arena/all/all/v1", "ints", "fine"} {
		require.NoError(t, f.SortedSet([]byte(key), time.Time{}, 2, pairs(2)))
		require.NoError(t, f.SortedSet([]byte(key), time.Time{}, 4000, pairs(4000)))
	}
	require.NoError(t, f.Close())
	r, err := rdbfile.Import(t.Context(), e, bytes.NewReader(b.Bytes()), all)
	require.NoError(t, err)
	require.Equal(t, 4, r.Refused["a key of a board, or of a set with int64 scores"].Keys)
	require.Equal(t, 1, r.Existing.Keys) // a key that comes twice
	x, err := rdbfile.Export(t.Context(), e, io.Discard, rdbfile.ExportOptions{})
	require.NoError(t, err)
	require.Equal(t, rdbfile.Tally{Keys: 1, Members: 1, Example: "ints"}, x.Boards)

	for _, n := range []int{3, 4000} {
		b.Reset()
		f, err = rdb.NewWriter(&b, rdb.WriteOptions{})
		require.NoError(t, err)
		require.NoError(t, f.SortedSet([]byte("twice"), time.Time{}, n, func(yield func([]byte, float64) bool) {
			for i := range n {
				if !yield(strconv.AppendInt(nil, int64(i%(n-1)), 10), 1) {
					return
				}
			}
		}))
		require.NoError(t, f.Close())
		_, err = rdbfile.Import(t.Context(), e, bytes.NewReader(b.Bytes()), all)
		require.ErrorIs(t, err, rdbfile.ErrTwice)
		require.ErrorContains(t, err, `"0" of the key "twice"`)
	}
}

// TestResume interrupts imports everywhere: at a place in the file, by ctx, and by closing the engine. Each goes on where it stopped, and the end is the same.
func TestResume(t *testing.T) {
	file := sample(t, 1500)
	whole := open(t, memfs.New())
	want, err := rdbfile.Import(t.Context(), whole, bytes.NewReader(file), all)
	require.NoError(t, err)
	contents := export(t, whole)
	require.NoError(t, whole.Close())
	broken := errors.New("broken")
	for cut := 100; cut < len(file); cut += len(file)/23 + 1 {
		fs := memfs.New()
		e := open(t, fs)
		o := all
		o.Resume = "sample"
		r, err := rdbfile.Import(t.Context(), e, io.MultiReader(bytes.NewReader(file[:cut]), errReader{broken}), o)
		require.ErrorIs(t, err, broken)
		came := r.Keys
		require.NoError(t, e.Close())
		e = open(t, fs)
		ctx, cancel := context.WithCancel(t.Context())
		o.Progress = func(*rdbfile.ImportReport) { cancel() }
		r, err = rdbfile.Import(ctx, e, bytes.NewReader(file), o)
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
		}
		require.GreaterOrEqual(t, r.Keys, came)
		require.Equal(t, came, r.Resumed)
		o.Progress = nil
		r, err = rdbfile.Import(t.Context(), e, bytes.NewReader(file), o)
		require.NoError(t, err)
		require.Equal(t, want.Stored, r.Stored, "cut at %d", cut)
		require.Equal(t, want.Keys, r.Keys)
		require.Zero(t, r.Existing.Keys)
		require.Equal(t, contents, export(t, e))
		r, err = rdbfile.Import(t.Context(), e, nil, o)
		require.NoError(t, err)
		require.True(t, r.Before)
		cancel()
		require.NoError(t, e.Close())
	}
}

// cancelAt reads bytes, and cancels a context when it comes to one of them.
type cancelAt struct {
	io.Reader
	left   int
	cancel func()
}

func (c *cancelAt) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b[:min(len(b), 512)])
	if c.left -= n; c.left < 0 {
		c.cancel()
	}
	return n, err
}

// TestResumeDamaged imports a file in which a bit is another, and then the one that it was: it does not go on behind keys that may be wrong. One that is cut off goes on.
func TestResumeDamaged(t *testing.T) {
	var b bytes.Buffer
	w, err := rdb.NewWriter(&b, rdb.WriteOptions{})
	require.NoError(t, err)
	for i := range 3 {
		require.NoError(t, w.String(fmt.Appendf(nil, "key%d", i), time.Time{}, []byte("rather long, and no number")))
	}
	require.NoError(t, w.Close())
	flipped := bytes.Replace(b.Bytes(), []byte("rather"), []byte("rbther"), 1)
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close()) }()
	o := rdbfile.ImportOptions{Resume: "file", Replace: true}
	_, err = rdbfile.Import(t.Context(), e, bytes.NewReader(flipped), o)
	require.ErrorIs(t, err, rdb.ErrChecksum)
	require.True(t, rdbfile.Damaged(err))
	r, err := rdbfile.Import(t.Context(), e, bytes.NewReader(b.Bytes()[:b.Len()-12]), o)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.False(t, rdbfile.Damaged(err))
	require.Zero(t, r.Resumed)
	require.Positive(t, r.Keys)
	r, err = rdbfile.Import(t.Context(), e, bytes.NewReader(b.Bytes()), o)
	require.NoError(t, err)
	require.Positive(t, r.Resumed)
	var out bytes.Buffer
	_, err = rdbfile.Export(t.Context(), e, &out, rdbfile.ExportOptions{Plain: true})
	require.NoError(t, err)
	require.NotContains(t, out.String(), "rbther")
}

// TestResumeBehindBig ends imports while a big set is read, and stores itself in many commits: the next call stores it.
func TestResumeBehindBig(t *testing.T) {
	const members = 150_000 // more than one commit takes
	var b bytes.Buffer
	f, err := rdb.NewWriter(&b, rdb.WriteOptions{})
	require.NoError(t, err)
	require.NoError(t, f.SortedSet([]byte("small"), time.Time{}, 5, pairs(5)))
	require.NoError(t, f.SortedSet([]byte("big"), time.Time{}, members, pairs(members)))
	require.NoError(t, f.SortedSet([]byte("last"), time.Time{}, 5, pairs(5)))
	require.NoError(t, f.Close())
	for _, at := range []int{0, b.Len() / 2, b.Len() - 500} {
		e := open(t, memfs.New())
		o := all
		o.Resume = "sample"
		ctx, cancel := context.WithCancel(t.Context())
		_, err := rdbfile.Import(ctx, e, &cancelAt{bytes.NewReader(b.Bytes()), at, cancel}, o)
		require.ErrorIs(t, err, context.Canceled)
		cancel()
		r, err := rdbfile.Import(t.Context(), e, bytes.NewReader(b.Bytes()), o)
		require.NoError(t, err)
		require.Equal(t, 3, r.Stored["zset"].Keys, "cancelled at byte %d", at)
		require.NoError(t, e.View(t.Context(), func(tx *engine.Tx) error {
			s, err := tx.Set("big")
			require.NoError(t, err)
			require.Equal(t, members, s.Len())
			return nil
		}, "big"))
		require.NoError(t, e.Close())
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

// TestDamaged keeps what came before the damage.
func TestDamaged(t *testing.T) {
	file := sample(t, 1500)
	file[len(file)-1] ^= 1
	e := open(t, memfs.New())
	defer e.Close()
	r, err := rdbfile.Import(t.Context(), e, bytes.NewReader(file), all)
	require.ErrorIs(t, err, rdb.ErrChecksum)
	require.Equal(t, 1503, r.Stored["zset"].Keys)
	n, err := e.Count()
	require.NoError(t, err)
	require.Equal(t, 1503, n)
	_, err = rdbfile.Import(t.Context(), e, bytes.NewReader([]byte("REDIS0099")), all)
	require.ErrorIs(t, err, rdb.ErrVersion)
}

// TestInflated refuses a small file whose string becomes larger than what can be stored, before it becomes so large.
func TestInflated(t *testing.T) {
	var file bytes.Buffer
	f, err := rdb.NewWriter(&file, rdb.WriteOptions{Compress: true})
	require.NoError(t, err)
	require.NoError(t, f.SelectDB(0))
	require.NoError(t, f.String([]byte("k"), time.Time{}, make([]byte, 64<<20)))
	require.NoError(t, f.Close())
	e := open(t, memfs.New())
	defer e.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = rdbfile.Import(t.Context(), e, &file, all)
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, rdb.ErrTooLarge)
	require.ErrorContains(t, err, `"k"`)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20))
}

// fillRedis gives a redis-server 2000 keys.
func fillRedis(t *testing.T, c *redis.Client, rng *rand.Rand) {
	ctx := t.Context()
	for i := range 2000 {
		key := fmt.Sprint("key:", i)
		switch rng.IntN(5) {
		case 0:
			require.NoError(t, c.Set(ctx, key, fmt.Sprint(rng.Uint64()>>rng.IntN(64)), 0).Err())
		case 1:
			require.NoError(t, c.SAdd(ctx, key, rng.IntN(1e6), -rng.IntN(1e3)).Err())
		default:
			n := 1 + rng.IntN(10)
			if i%100 == 0 {
				n = 5000
			}
			list := make([]redis.Z, n)
			for j := range list {
				list[j] = redis.Z{Score: rng.NormFloat64() * float64(1+rng.IntN(1e6)), Member: fmt.Sprint("member:", rng.IntN(1e6))}
			}
			require.NoError(t, c.ZAdd(ctx, key, list...).Err())
		}
		if i%4 == 0 {
			require.NoError(t, c.PExpire(ctx, key, time.Hour*time.Duration(1+rng.IntN(1e5))).Err())
		}
	}
}

// TestRedisBothWays takes all keys of a redis-server to an engine and back, and compares their dumps.
func TestRedisBothWays(t *testing.T) {
	s, err := redistest.Start(t.TempDir(), 1, "--enable-debug-command", "yes")
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("there is no redis-server")
	}
	require.NoError(t, err)
	defer s.Close()
	c := s.Client(0)
	defer c.Close()
	ctx := t.Context()
	rng := rand.New(rand.NewPCG(7, 26))
	fillRedis(t, c, rng)
	require.NoError(t, c.FunctionLoad(ctx, "#!lua name=one\nredis.register_function('one', function() return 1 end)").Err())
	dumps := func() map[string]string {
		list := map[string]string{}
		for i := range 2000 {
			key := fmt.Sprint("key:", i)
			d, err := c.Dump(ctx, key).Result()
			require.NoError(t, err)
			list[key] = fmt.Sprint(d, c.PExpireTime(ctx, key).Val())
		}
		return list
	}
	want := dumps()
	dir, err := c.ConfigGet(ctx, "dir").Result()
	require.NoError(t, err)
	path := filepath.Join(dir["dir"], "dump.rdb")
	require.NoError(t, c.Save(ctx).Err())
	file, err := os.Open(path)
	require.NoError(t, err)
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	defer e.Close()
	r, err := rdbfile.Import(ctx, e, file, all)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	require.EqualValues(t, 2000, r.Keys)
	require.Equal(t, rdb.Unkeyed{Functions: 1}, r.Unkeyed)
	require.NoError(t, os.WriteFile(path, export(t, e), 0o600))
	require.NoError(t, c.Do(ctx, "debug", "reload", "nosave").Err())
	require.Equal(t, want, dumps())
}

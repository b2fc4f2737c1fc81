package rdb

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/redistest"
)

// content is what a key holds, whatever its encoding.
type content struct {
	kind    Kind
	text    string
	pairs   []pair            // of a sorted set, sorted
	members []string          // of a plain set, sorted
	fields  map[string]string // of a hash
	expires int64             // Unix milliseconds; 0: never
}

// keyOf names a key of a database.
func keyOf(db int, name string) string { return strconv.Itoa(db) + "/" + name }

// readAll reads all that a Reader does not skip, and counts what it skips.
func readAll(r io.Reader, o ReadOptions) (all map[string]content, skipped map[Kind]int, err error) {
	all, skipped = map[string]content{}, map[Kind]int{}
	f, err := NewReader(r, o)
	if err != nil {
		return all, skipped, err
	}
	for {
		key, err := f.Next()
		if errors.Is(err, io.EOF) {
			return all, skipped, nil
		}
		if err != nil {
			return all, skipped, err
		}
		c, err := readContent(&key.Value)
		if err != nil {
			return all, skipped, err
		}
		if c.kind == 0 {
			skipped[key.Kind]++
			continue
		}
		if !key.Expires.IsZero() {
			c.expires = key.Expires.UnixMilli()
		}
		all[keyOf(key.DB, string(key.Name))] = c
	}
}

// readContent reads a value; its kind is 0 if a Reader skips those.
func readContent(v *Value) (c content, err error) {
	switch v.Kind {
	case String:
		var b []byte
		b, err = v.Bytes()
		c.text = string(b)
	case SortedSet:
		err = v.SortedSet(func(m []byte, score float64) error {
			c.pairs = append(c.pairs, pair{string(m), score})
			return nil
		})
		sortPairs(c.pairs)
	case Set:
		err = v.Set(func(m []byte) error {
			c.members = append(c.members, string(m))
			return nil
		})
		slices.Sort(c.members)
	case Hash:
		c.fields = map[string]string{}
		err = v.Hash(func(field, value []byte, _ time.Time) error {
			c.fields[string(field)] = string(value)
			return nil
		})
	default:
		return c, nil
	}
	c.kind = v.Kind
	return c, err
}

// write writes keys of database 0, and of others behind it.
func write(t require.TestingT, o WriteOptions, all map[string]content) []byte {
	var b bytes.Buffer
	f, err := NewWriter(&b, o)
	require.NoError(t, err)
	require.NoError(t, f.Aux("redis-ver", "7.0.15"))
	last := -1
	for _, key := range slices.Sorted(maps.Keys(all)) {
		dbText, name, _ := bytes.Cut([]byte(key), []byte("/"))
		db, err := strconv.Atoi(string(dbText))
		require.NoError(t, err)
		if db != last {
			require.NoError(t, f.SelectDB(db))
			require.NoError(t, f.ResizeDB(len(all), 0))
			last = db
		}
		c := all[key]
		var expires time.Time
		if c.expires != 0 {
			expires = time.UnixMilli(c.expires)
		}
		switch c.kind {
		case String:
			err = f.String(name, expires, []byte(c.text))
		case SortedSet:
			err = f.SortedSet(name, expires, len(c.pairs), descending(c.pairs))
		case Set:
			err = f.Set(name, expires, len(c.members), func(yield func([]byte) bool) {
				for _, m := range c.members {
					if !yield([]byte(m)) {
						return
					}
				}
			})
		case Hash:
			err = f.Hash(name, expires, len(c.fields), func(yield func(_, _ []byte) bool) {
				for field, value := range c.fields {
					if !yield([]byte(field), []byte(value)) {
						return
					}
				}
			})
		}
		require.NoError(t, err)
	}
	require.NoError(t, f.Close())
	return b.Bytes()
}

// randomText returns a text that is often a number, often compressible, sometimes long.
func randomText(rng *rand.Rand) string {
	switch rng.IntN(8) {
	case 0:
		return strconv.FormatInt(int64(rng.Uint64())>>rng.IntN(64), 10)
	case 1:
		return ""
	case 2:
		return string(bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, rng.IntN(200)))
	case 3:
		words := [...]string{"alpha", "beta", "gamma", "player:", "0", "1", "guild-"}
		var b []byte
		for range rng.IntN(40) {
			b = append(b, words[rng.IntN(len(words))]...)
		}
		return string(b)
	case 4:
		b := make([]byte, rng.IntN(100))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return string(b)
	}
	return fmt.Sprintf("member:%d", rng.IntN(1e6))
}

// randomScore returns a score of any kind.
func randomScore(rng *rand.Rand) float64 {
	switch rng.IntN(7) {
	case 0:
		return math.Inf(1 - 2*rng.IntN(2))
	case 1:
		return float64(int64(rng.Uint64()) >> rng.IntN(64))
	case 2:
		for {
			if f := math.Float64frombits(rng.Uint64()); !math.IsNaN(f) {
				return f
			}
		}
	case 3:
		return rng.NormFloat64()
	}
	return float64(rng.IntN(1000))
}

// randomContent returns keys of the kinds that a Reader reads.
func randomContent(rng *rand.Rand, n int) map[string]content {
	all := map[string]content{}
	for i := range n {
		size := rng.IntN(12)
		if rng.IntN(20) == 0 {
			size = 100 + rng.IntN(600)
		}
		c := content{kind: [...]Kind{String, SortedSet, SortedSet, Set, Hash}[rng.IntN(5)], fields: map[string]string{}}
		members := map[string]float64{}
		for range size + 1 {
			m := randomText(rng)
			if c.kind == Set && i%2 == 0 {
				m = strconv.FormatInt(int64(rng.Uint64())>>(rng.IntN(64)), 10)
			}
			members[m] = randomScore(rng)
		}
		switch c.kind {
		case String:
			c.text = randomText(rng)
		case SortedSet:
			for m, score := range members {
				c.pairs = append(c.pairs, pair{m, score})
			}
			sortPairs(c.pairs)
		case Set:
			c.members = slices.Sorted(maps.Keys(members))
		case Hash:
			for m := range members {
				c.fields[m] = randomText(rng)
			}
		}
		if c.kind != Hash {
			c.fields = nil
		}
		if rng.IntN(3) == 0 {
			c.expires = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli() + int64(rng.IntN(1e9))
		}
		all[keyOf(i%3, fmt.Sprintf("key:%d", i))] = c
	}
	return all
}

// startRedis starts a redis-server, or skips the test.
func startRedis(t *testing.T, arguments ...string) (c *redis.Client, dir string) {
	t.Helper()
	s, err := redistest.Start(t.TempDir(), 1, arguments...)
	if errors.Is(err, redistest.ErrNone) {
		t.Skip("there is no redis-server")
	}
	require.NoError(t, err)
	t.Cleanup(s.Close)
	c = s.Client(0)
	t.Cleanup(func() { _ = c.Close() })
	got, err := c.ConfigGet(context.Background(), "dir").Result()
	require.NoError(t, err)
	return c, got["dir"]
}

// fill gives a redis-server the keys.
func fill(t *testing.T, c *redis.Client, all map[string]content) {
	ctx := context.Background()
	for key, v := range all {
		db, name, _ := bytes.Cut([]byte(key), []byte("/"))
		_, err := c.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.Do(ctx, "select", string(db))
			args := []any{}
			switch v.kind {
			case String:
				args = append(args, "set", string(name), v.text)
			case SortedSet:
				args = append(args, "zadd", string(name))
				for _, e := range v.pairs {
					args = append(args, strconv.FormatFloat(e.score, 'g', 17, 64), e.member)
				}
			case Set:
				args = append(args, "sadd", string(name))
				for _, m := range v.members {
					args = append(args, m)
				}
			case Hash:
				args = append(args, "hset", string(name))
				for field, value := range v.fields {
					args = append(args, field, value)
				}
			}
			p.Do(ctx, args...)
			if v.expires != 0 {
				p.Do(ctx, "pexpireat", string(name), v.expires)
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.NoError(t, c.Do(ctx, "select", "0").Err())
}

// thresholds make redis-server choose each encoding.
var thresholds = map[string][]string{
	"defaults":   {},
	"all small":  {"--zset-max-listpack-entries", "100000", "--zset-max-listpack-value", "100000", "--hash-max-listpack-entries", "100000", "--hash-max-listpack-value", "100000", "--set-max-intset-entries", "100000"},
	"none small": {"--zset-max-listpack-entries", "0", "--hash-max-listpack-entries", "0", "--set-max-intset-entries", "0"},
}

// TestRedisFiles reads what redis-server has saved.
func TestRedisFiles(t *testing.T) {
	for name, arguments := range thresholds {
		for _, compress := range []string{"yes", "no"} {
			t.Run(name+", compression "+compress, func(t *testing.T) {
				c, dir := startRedis(t, append([]string{"--rdbcompression", compress}, arguments...)...)
				all := randomContent(rand.New(rand.NewPCG(1, 2)), 600)
				fill(t, c, all)
				ctx := context.Background()
				for _, command := range [][]any{{"rpush", "list", "a", "b", 3, string(bytes.Repeat([]byte("x"), 9000))}, {"xadd", "stream", "1-1", "f", "v"}, {"xgroup", "create", "stream", "g", "0"},
					{"xreadgroup", "group", "g", "c", "streams", "stream", ">"}, {"function", "load", "#!lua name=lib\nredis.register_function('f', function() return 1 end)"},
					{"pfadd", "hll", "a", "b"}, {"setbit", "bits", 100000, 1}} {
					require.NoError(t, c.Do(ctx, command...).Err())
				}
				for key, value := range map[string]string{"hll": c.Get(ctx, "hll").Val(), "bits": c.Get(ctx, "bits").Val()} {
					all[keyOf(0, key)] = content{kind: String, text: value}
				}
				require.NoError(t, c.Save(ctx).Err())
				b, err := os.ReadFile(filepath.Join(dir, "dump.rdb"))
				require.NoError(t, err)
				aux := map[string]string{}
				got, skipped, err := readAll(bytes.NewReader(b), ReadOptions{Aux: func(n, v []byte) { aux[string(n)] = string(v) }})
				require.NoError(t, err)
				require.Equal(t, all, got)
				require.Equal(t, map[Kind]int{List: 1, Stream: 1}, skipped)
				require.Contains(t, aux, "redis-ver")
			})
		}
	}
}

// TestRedisLoads lets redis-check-rdb and redis-server judge what a Writer has written.
func TestRedisLoads(t *testing.T) {
	for name, o := range map[string]WriteOptions{"plain": {}, "compressed": {Compress: true}, "binary": {Thresholds: Thresholds{-1, -1, -1}},
		"small, compressed": {Compress: true, Thresholds: Thresholds{1e6, 1e6, 1e6}}, "no checksum": {NoChecksum: true}} {
		t.Run(name, func(t *testing.T) {
			c, dir := startRedis(t, "--enable-debug-command", "yes")
			all := randomContent(rand.New(rand.NewPCG(3, 4)), 600)
			path := filepath.Join(dir, "dump.rdb")
			require.NoError(t, os.WriteFile(path, write(t, o, all), 0o600))
			checkFile(t, path)
			ctx := context.Background()
			require.NoError(t, c.Do(ctx, "debug", "reload", "nosave").Err())
			require.NoError(t, os.Remove(path))
			require.NoError(t, c.Save(ctx).Err())
			f, err := os.Open(path)
			require.NoError(t, err)
			defer f.Close()
			got, _, err := readAll(f, ReadOptions{})
			require.NoError(t, err)
			require.Equal(t, all, got)
		})
	}
}

// checkFile runs redis-check-rdb.
func checkFile(t *testing.T, path string) {
	program, err := exec.LookPath("redis-check-rdb")
	if err != nil {
		t.Log("there is no redis-check-rdb")
		return
	}
	out, err := exec.Command(program, path).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// TestRedisDumps compares dumps byte for byte, each of a value whose encoding the server has chosen.
func TestRedisDumps(t *testing.T) {
	for name, arguments := range thresholds {
		for _, compress := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", compression ", compress), func(t *testing.T) {
				yes := map[bool]string{false: "no", true: "yes"}[compress]
				c, _ := startRedis(t, append([]string{"--rdbcompression", yes}, arguments...)...)
				all := randomContent(rand.New(rand.NewPCG(5, 6)), 1500)
				fill(t, c, all)
				ctx := context.Background()
				for key, v := range all {
					db, name, _ := bytes.Cut([]byte(key), []byte("/"))
					require.NoError(t, c.Do(ctx, "select", string(db)).Err())
					want, err := c.Dump(ctx, string(name)).Bytes()
					require.NoError(t, err)
					if e := Encoding(want[0]); e == SetStrings || v.kind == Hash { // in the order of a table, or of HSET
						continue
					}
					d := dumperOf(t, Encoding(want[0]) == SortedSetListpack || Encoding(want[0]) == SetIntset, compress)
					var got []byte
					switch v.kind {
					case String:
						got = d.String(nil, []byte(v.text))
					case SortedSet:
						got, err = d.SortedSet(nil, len(v.pairs), descending(v.pairs))
					case Set:
						got, err = d.Set(nil, len(v.members), func(yield func([]byte) bool) {
							for _, m := range v.members {
								if !yield([]byte(m)) {
									return
								}
							}
						})
					}
					require.NoError(t, err)
					require.Equal(t, hex.EncodeToString(want), hex.EncodeToString(got), "%s %v", v.kind, v)
				}
			})
		}
	}
}

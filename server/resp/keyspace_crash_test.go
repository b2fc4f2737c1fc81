package resp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/testclock"
)

// TestKeyspaceAfterPowerCuts runs random commands on plain values and sorted sets in two databases. After a power cut exactly the
// acknowledged values and expiries are there.
func TestKeyspaceAfterPowerCuts(t *testing.T) {
	const commands, every = 900, 75
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 2))
	clock := testclock.New()
	n := &naive{now: clock.Now, keys: map[string]naiveValue{}}
	disk := memfs.NewCrashable()
	e, err := engine.Open("z", engine.Options{FS: disk, Clock: clock.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	p := serve(t, e, Options{})
	peers := map[string]*peer{"0": p, "3": p.another()}
	peers["3"].do("SELECT", "3")
	cuts, keys := 0, 0
	for i := range commands {
		db := []string{"0", "3"}[r.IntN(2)]
		words := randomCommand(r)
		if r.IntN(8) == 0 {
			words = []string{"ZADD", string(rune('a' + r.IntN(6))), "1", "m"}
			if _, ok := n.at(db + ":" + words[1]); ok {
				continue
			}
			n.keys[db+":"+words[1]] = naiveValue{kind: "zset"}
			require.Equal(t, ":1", oneLine(peers[db].do(words...)))
			continue
		}
		require.Equal(t, n.do(db, words), oneLine(peers[db].do(words...)), "seed %d, command %d: %q in database %s", seed, i, words, db)
		if r.IntN(10) == 0 {
			clock.Add(100 * time.Millisecond)
		}
		if i%every == every-1 {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			left := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: r.IntN(3) * 50, RNG: rng})
			keys += compareStored(t, left, clock, n, fmt.Sprintf("seed %d, power cut after command %d", seed, i))
			cuts++
		}
	}
	t.Logf("%d commands, %d power cuts, %d keys compared", commands, cuts, keys)
}

// compareStored opens a disk and compares all keys on it with the oracle. It returns the number of keys. where is for messages.
func compareStored(t *testing.T, disk *memfs.FS, clock *testclock.Clock, n *naive, where string) (keys int) {
	e, err := engine.Open("z", engine.Options{FS: disk, Clock: clock.Now})
	require.NoError(t, err, where)
	defer func() { require.NoError(t, e.Close()) }()
	s, err := New(t.Context(), e, Options{})
	require.NoError(t, err, where)
	defer func() { require.NoError(t, s.Close()) }()
	addr, err := s.Listen("127.0.0.1:0")
	require.NoError(t, err)
	p := (&peer{t: t, s: s, addr: addr.String()}).another()
	for _, db := range []string{"0", "3"} {
		p.do("SELECT", db)
		have := bulks(p.do("KEYS", "*"))
		slices.Sort(have)
		require.Equal(t, n.list(db), have, where)
		for _, key := range have {
			v := n.keys[db+":"+key]
			require.Equal(t, "+"+v.kind, oneLine(p.do("TYPE", key)), where)
			require.Equal(t, n.do(db, []string{"PTTL", key}), oneLine(p.do("PTTL", key)), where)
			switch v.kind {
			case "string":
				require.Equal(t, "$"+v.text, oneLine(p.do("GET", key)), where)
			case "set":
				require.Equal(t, ":"+strconv.Itoa(len(v.members)), oneLine(p.do("SCARD", key)), where)
				for m := range v.members {
					require.Equal(t, ":1", oneLine(p.do("SISMEMBER", key, m)), where)
				}
			default:
				require.True(t, strings.HasPrefix(p.do("ZSCORE", key, "m"), "$1"), where)
			}
			keys++
		}
	}
	return keys
}

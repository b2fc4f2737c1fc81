package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// TestDigest makes random changes, some rolled back, of a set under a reserved key. Its digest is always that of its entries (D1): in memory,
// on the disk only, and after a power cut.
func TestDigest(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		mem := memfs.NewCrashable()
		form := Form{TieWidth: 8, Dense: true}
		var e *Engine
		open := func() {
			var err error
			e, err = Open("db", Options{FS: mem, SnapshotBytes: -1})
			require.NoError(t, err)
		}
		open()
		for range 60 {
			switch o := ownerOf(t, e); r.IntN(12) {
			case 0:
				require.NoError(t, e.Snapshot())
			case 1:
				require.NoError(t, e.Unload(ranked))
			case 2:
				mem = mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: r})
				require.NoError(t, e.Close())
				open()
			case 3:
				z := must(zset.NewInt(optionsOf(form)))
				for i := range r.IntN(300) {
					must(z.AddTied(fmt.Appendf(nil, "m%d", i), make([]byte, 8), r.Int64N(9)))
				}
				if e.ops.stageBytes = 1 << 20; r.IntN(2) == 0 {
					e.ops.stageBytes = 1 << 10
				}
				require.NoError(t, o.StoreInts(t.Context(), ranked, z))
			case 4:
				_, err := o.Delete(t.Context(), ranked)
				require.NoError(t, err)
			default:
				change(t, r, o, form)
			}
			sealed(t, e, form)
		}
		rep, err := e.Check(t.Context(), nil)
		require.NoError(t, err)
		require.Empty(t, rep.Problems)
		require.NoError(t, e.Close())
	}
}

// change runs a random transaction on the set; one in four is rolled back.
func change(t *testing.T, r *rand.Rand, o Owner, form Form) {
	t.Helper()
	rollback := errors.New("rollback")
	err := o.Update(t.Context(), []string{ranked}, func(tx *Tx) error {
		for range r.IntN(6) {
			s, err := tx.IntSet(ranked, form)
			require.NoError(t, err)
			member := fmt.Appendf(nil, "m%d", r.IntN(40))
			switch r.IntN(6) {
			case 0:
				_, err = s.Remove(member)
			case 1:
				_, err = s.PopMax(r.IntN(3))
			case 2:
				_, err = s.RemoveRange(0, r.IntN(20))
			case 3:
				if r.IntN(3) == 0 {
					_, err = tx.Drop(ranked)
				}
			default:
				_, err = s.AddTied(member, []byte{0, 0, 0, 0, 0, 0, 0, byte(r.IntN(2))}, r.Int64N(9))
			}
			require.NoError(t, err)
		}
		if r.IntN(4) == 0 {
			return rollback
		}
		return nil
	})
	require.True(t, err == nil || errors.Is(err, rollback), "%v", err)
}

// sealed compares the result of Seal with the set.
func sealed(t *testing.T, e *Engine, form Form) {
	t.Helper()
	o := ownerOf(t, e)
	seal, err := o.Seal(ranked)
	require.NoError(t, err)
	cold := e.keys.Find(ranked) != nil && e.keys.Find(ranked).Cold()
	z, _, err := e.CopyInts(t.Context(), ranked, form)
	require.NoError(t, err)
	require.Equal(t, Seal{z.Len(), o.Digest(z.View()), true}, seal)
	if cold {
		require.NoError(t, e.Unload(ranked))
	}
}

// TestDigestOf pins the hash, because it is stored. The order of entries does not change the digest.
func TestDigestOf(t *testing.T) {
	require.Equal(t, uint64(0x34c96acdcadb1bbb), facts.EntryHash(0, "", "")) // XXH64 of eight zero bytes
	z := must(zset.NewInt(zset.Options{}))
	must(z.Add([]byte("ada"), 5))
	must(z.Add([]byte("bob"), -3))
	require.Equal(t, facts.EntryHash(5, "", "ada")+facts.EntryHash(-3, "", "bob"), facts.DigestOf(z.View()))
	require.NotEqual(t, facts.EntryHash(5, "", "ada"), facts.EntryHash(5, "a", "adb"))
	long := string(make([]byte, 300))
	require.Equal(t, facts.EntryHash(1, "tie", long), facts.EntryHash(1, []byte("tie"), []byte(long)))
}

// TestDigestWhose: sets under other keys, and sets with float64 scores, have no digest.
func TestDigestWhose(t *testing.T) {
	e := reserve(t)
	o := ownerOf(t, e.Engine)
	require.NoError(t, e.StoreInts(e.ctx, "ints", someInts()))
	for key, known := range map[string]bool{ranked: true, old: false, own: false, "ints": false, absent: true} {
		seal, err := o.Seal(key)
		require.NoError(t, err)
		require.Equal(t, known, seal.Known, key)
	}
}

// TestCheckDigest: Check reports a page with other entries than were written, even if all checksums of the store are right.
func TestCheckDigest(t *testing.T) {
	mem := persist.MemFS()
	e, err := Open("db", Options{FS: mem, SnapshotBytes: -1})
	require.NoError(t, err)
	require.NoError(t, ownerOf(t, e).StoreInts(t.Context(), ranked, someInts()))
	e.checkpoints.Paged = func(page []byte) []byte {
		b := must(Form{}.Builder())
		require.NoError(t, b.Add([]byte("z"), 2))
		return b.Set().AppendPage(nil, 0)
	}
	require.NoError(t, e.Snapshot())
	require.NoError(t, e.Close())
	rep, err := CheckDir(t.Context(), "db", Options{FS: mem}, nil)
	require.NoError(t, err)
	require.Len(t, rep.Problems, 1)
	require.Contains(t, rep.Problems[0].String(), "its entries have digest")
}

// TestFactsWithDigest: facts with a digest decode to the same facts, in combination with every other field; cut facts are refused.
func TestFactsWithDigest(t *testing.T) {
	for _, f := range []facts.Facts{
		{Ints: true, Digest: facts.Digest{Known: true}},
		{Ints: true, Digest: facts.Digest{Sum: 1<<64 - 1, Known: true}, Expires: 5, ScoreTie: 8, TieWidth: 16, Dense: true, Key: "k", Other: true, Version: 7},
	} {
		b := f.Encode()
		read, err := facts.DecodeFacts("id", b)
		require.NoError(t, err)
		require.Equal(t, f, read)
		if !f.Other {
			for n := range b {
				if n != facts.ShortFacts {
					_, err := facts.DecodeFacts("id", b[:n])
					require.ErrorIs(t, err, persist.ErrCorrupt)
				}
			}
		}
	}
}

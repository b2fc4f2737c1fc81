package persist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// randomFiles replaces one file after the other by random bytes, by a copy of another file, or by itself with a piece
// exchanged.
func randomFiles(rounds int) (*damages, error) {
	r := &damages{}
	v, err := settled(48)
	if err != nil {
		return r, err
	}
	paths := append(filesLike(v.disk, ""), "db/HWM", "db/IDENTITY")
	r.each(v, rounds, func(i int) (string, func(fs *memfs.FS) error) {
		rng := rand.New(rand.NewPCG(48, uint64(i)))
		path, other := paths[i%len(paths)], paths[rng.IntN(len(paths))]
		how := rng.IntN(3)
		return fmt.Sprintf("seed %d: %s, way %d, %s", i, path, how, other), func(fs *memfs.FS) error {
			if fs.PathBase(path) == lockName || fs.PathBase(other) == lockName {
				return nil
			}
			from, err := readWhole(fs, other)
			return errors.Join(err, edit(fs, path, func(b []byte) []byte { return scramble(rng, how, b, from) }))
		}
	})
	return r, r.err(0)
}

func scramble(rng *rand.Rand, how int, b, other []byte) []byte {
	switch {
	case how == 0:
		b = make([]byte, rng.IntN(100<<10))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
	case how == 1:
		return other
	case len(b) > 1:
		from, to := rng.IntN(len(b)), rng.IntN(len(b))
		copy(b[to:], b[from:min(len(b), from+1+rng.IntN(500))])
	}
	return b
}

func TestRow48RandomFiles(t *testing.T) {
	r, err := randomFiles(matrix.Pick(300, 4000))
	require.NoError(t, err)
	matrix.Row(t, 48, "random bytes, other files and moved pieces in the place of a store's files: %v, 0 panics", r)
}

// FuzzScan: the raw scanner takes anything for a log, and finds what is there.
func FuzzScan(f *testing.F) {
	v, err := newVictim(48, nil, grow(5, 100))
	require.NoError(f, err)
	_, log := v.liveLog()
	n, err := readIdentity(v.disk, "db")
	require.NoError(f, err)
	f.Add(log, 0)
	f.Add(log, walBlock-100)
	f.Add([]byte{}, 0)
	f.Add(groupStart, 0)
	f.Fuzz(func(t *testing.T, b []byte, shift int) {
		if shift > 0 && shift < 1<<20 {
			b = append(make([]byte, shift), b...)
		}
		var e evidence
		end := e.scan(b, n.id.hash(), 0)
		require.LessOrEqual(t, end, len(b))
		require.Less(t, e.promised, uint64(5), "no group of this store says more")
		require.LessOrEqual(t, recordsEnd(b, 2), len(b))
		torn := tornBytes(b, 2, end)
		require.True(t, torn >= 0 && torn <= len(b))
	})
}

// FuzzIdentity: what decodes is what encodes to the same bytes.
func FuzzIdentity(f *testing.F) {
	f.Add(newIdentity().encode())
	f.Add([]byte(identityMagic))
	f.Fuzz(func(t *testing.T, v []byte) {
		n, err := decodeIdentity(v)
		if err != nil {
			require.True(t, isCorrupt(err) || errors.Is(err, ErrNewerFormat))
			return
		}
		require.Equal(t, v, n.encode())
	})
}

// FuzzPointer: the same of m/current.
func FuzzPointer(f *testing.F) {
	f.Add(pointer{1, 2, 3, 4, 5}.encode())
	f.Fuzz(func(t *testing.T, v []byte) {
		p, err := decodePointer(v)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		again, err := decodePointer(p.encode())
		require.NoError(t, err)
		require.Equal(t, p, again)
	})
}

// FuzzRecords gives any bytes to the decoders of the records that have one form: m/format, m/batch, and a page. They are what was
// written, or ErrCorrupt, or of a later version.
func FuzzRecords(f *testing.F) {
	key := keyPage(1, 2, 3)
	sealed := make([]byte, 4+9)
	sealPage(sealed, key, []byte("some page"))
	f.Add(encodeFormat(newIdentity().id))
	f.Add(sealed)
	f.Add(make([]byte, 8))
	f.Fuzz(func(t *testing.T, v []byte) {
		if id, layout, err := decodeFormat(v); err == nil {
			require.LessOrEqual(t, layout, uint32(layoutVersion))
			if layout == layoutVersion {
				require.Equal(t, v, encodeFormat(id))
			}
		} else {
			require.True(t, isCorrupt(err) || errors.Is(err, ErrNewerFormat), err)
		}
		if _, err := decodeNumber(v); err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
		}
		page, crc, err := openPage(key, v)
		if err != nil {
			require.ErrorIs(t, err, ErrCorrupt)
			return
		}
		again := make([]byte, 4+len(page))
		require.Equal(t, crc, sealPage(again, key, page))
		require.Equal(t, v, again)
	})
}

package persist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist/internal/storedir"
)

// randomFiles damages one file at a time: it replaces the file by random bytes or by a copy of another file, or overwrites a part of it
// with another part.
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
			if fs.PathBase(path) == storedir.LockName || fs.PathBase(other) == storedir.LockName {
				return nil
			}
			from, err := storedir.ReadWhole(fs, other)
			return errors.Join(err, edit(fs, path, func(b []byte) []byte { return scramble(rng, how, b, from) }))
		}
	})
	return r, r.err(0)
}

// scramble returns the damaged bytes of a file: random bytes, the bytes of the other file, or b with a piece copied over another.
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

func TestRandomFiles(t *testing.T) {
	r, err := randomFiles(matrix.Pick(120, 4000))
	require.NoError(t, err)
	matrix.Row(t, 48, "random bytes, other files and moved pieces in place of a store's files: %v, 0 panics", r)
}

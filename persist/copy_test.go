package persist

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// TestRow45CopiedLive copies the directory of an open store file by file while commits and snapshots go on between the
// pieces. A copy opens, and then it holds the state after some commit, or it is refused, or says which set it cannot read.
func TestRow45CopiedLive(t *testing.T) {
	runs, opened := matrix.Pick(30, 2000), 0
	refused := map[string]int{}
	for seed := range uint64(runs) {
		rng := rand.New(rand.NewPCG(seed, 45))
		fs := MemFS()
		s, err := open("db", Options{FS: fs, Level: Level(seed % 3)}, small)
		require.NoError(t, err)
		d := newDriver(s, seed)
		work := func() {
			require.NoError(t, d.commit(1+rng.IntN(1+int(seed%40))))
			if rng.IntN(4) == 0 {
				require.NoError(t, d.snapshot(true))
			}
		}
		for range 20 {
			work()
		}
		require.NoError(t, copyDir(fs, "db", "copy", rng, work))
		why, err := opensOrNot(fs, "copy", d)
		require.NoError(t, err, "seed %d", seed)
		if refused[why]++; why == "" {
			opened++
		}
		require.NoError(t, s.Close())
	}
	matrix.Row(t, 45, "%d copies of a directory in use: %d open as a prefix, %d are refused, 0 wrong", runs, opened, runs-opened)
	t.Log(refused)
}

// opensOrNot opens a copy that may be damaged. It is right, or the store says why it is not: in a few words, and how far it
// came.
func opensOrNot(fs FS, dir string, d *driver) (why string, err error) {
	im, err := OpenImage(dir, Options{FS: fs})
	if err != nil {
		return "", err
	}
	rep, err := im.Check(context.Background(), CheckOptions{})
	if err := errors.Join(err, im.Close()); err != nil {
		return "", err
	}
	s, err := open(dir, Options{FS: fs, MustExist: true}, small)
	if err != nil {
		return "not opened", nil
	}
	err = compare(s, d, 0)
	if err != nil && len(rep.Problems) > 0 {
		why, err = "found by check: "+rep.Problems[0].String(), nil
	}
	if len(why) > 40 {
		why = why[:40]
	}
	return why, errors.Join(err, s.Close())
}

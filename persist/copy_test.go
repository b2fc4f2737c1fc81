package persist

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// TestCopyOfLiveDirectory copies the directory of an open store file by file, with commits and snapshots between the pieces. Open must
// refuse the copy, or the copy must hold the state after some commit, or reading must name the set that cannot be read.
func TestCopyOfLiveDirectory(t *testing.T) {
	runs, opened := matrix.Pick(12, 2000), 0
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

// opensOrNot opens a copy that may be damaged. why is "" if the copy holds the state after some commit. Otherwise it says that Open
// refused the copy, or begins with the first problem of Check. If Check does not report a wrong state, opensOrNot returns an error.
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

// missingLog returns the files of a store as a copy made file by file may have them. The list of tables is from an early moment, the log
// of that moment is missing, and a snapshot in the next log covers all sets. So only private keys are missing.
func missingLog() (f files, d *driver, err error) {
	fs, tune := MemFS(), func(o *pebble.Options) { o.MemTableSize = 512 << 10 }
	s, err := open("db", Options{FS: fs}, tune)
	if err == nil {
		if err = s.Close(); err == nil {
			s, err = open("db", Options{FS: fs}, tune) // moves the first records from the log to tables
		}
	}
	if err != nil {
		return nil, nil, err
	}
	d = newDriver(s, 7)
	if err = d.commit(20); err != nil {
		return nil, nil, err
	}
	early, err := filesOf(fs, "db")
	for f = early; err == nil && f.logs() == early.logs(); {
		if err = d.commit(20); err == nil {
			f, err = filesOf(fs, "db")
		}
	}
	err = errors.Join(err, d.snapshot(true), d.commit(5))
	if err != nil {
		return nil, nil, err
	}
	late, err := filesOf(fs, "db")
	f = files{}
	for path, b := range early {
		if !strings.HasSuffix(path, ".log") {
			f[path] = b
		}
	}
	for path, b := range late {
		if _, old := early[path]; !old && strings.HasSuffix(path, ".log") {
			f[path] = b
		}
	}
	return f, d, errors.Join(err, s.Close())
}

// logs names Pebble's logs.
func (f files) logs() (last string) {
	for path := range f {
		if strings.HasSuffix(path, ".log") {
			last = max(last, path)
		}
	}
	return last
}

// TestMissingLog: Check must notice a missing log of Pebble, even if a later log has a snapshot of all sets. The private keys of the missing log are in no
// other, so Salvage makes the store as it was before: here empty.
func TestMissingLog(t *testing.T) {
	f, d, err := missingLog()
	require.NoError(t, err)
	rep, err := checkDir(f, CheckOptions{})
	require.NoError(t, err)
	require.Len(t, rep.Problems, 1)
	require.Contains(t, rep.Problems[0].What, "a log is missing")
	require.Zero(t, rep.LastSeq)
	done, err := salvaged(f, d, 0)
	require.NoError(t, err)
	require.Empty(t, done.Sets)
	require.True(t, done.Prefix(), "what the log before the missing one has: nothing")
	require.False(t, done.Whole())
	require.Zero(t, done.Copy.LastSeq)
}

package persist

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// wreck is a store whose copies the test damages: the files as a crash or Close has left them, and the model.
type wreck struct {
	kind string
	f    files
	d    *driver
	end  uint64 // the last commit in the files
}

// wrecks makes the three kinds of stores: killed at Interval and at Sync, and closed.
func wrecks(seed uint64) (all []*wreck, err error) {
	for _, w := range []*wreck{{kind: "killed at Interval"}, {kind: "killed at Sync"}, {kind: "closed"}} {
		level := Sync
		if w.kind == "killed at Interval" {
			level = Interval
		}
		if err := w.fill(seed, level); err != nil {
			return nil, fmt.Errorf("%s: %w", w.kind, err)
		}
		all = append(all, w)
	}
	return all, nil
}

// fill makes a store with tables, several snapshots, a write-out and a log behind them. A kill leaves what was written, flushed or not.
func (w *wreck) fill(seed uint64, level Level) error {
	mem := memfs.NewCrashable()
	s, err := open("db", Options{FS: mem, Level: level}, small)
	if err != nil {
		return err
	}
	w.d = newDriver(s, seed)
	for range 4 {
		err = errors.Join(err, w.d.commit(40), w.d.snapshot(true))
	}
	err = errors.Join(err, w.d.commit(30), w.d.writeOut(true), w.d.commit(60), s.Flush())
	if w.kind == "closed" {
		err = errors.Join(err, s.Close())
		if w.f, err = filesOf(mem, "db"); err != nil {
			return err
		}
	} else {
		err = errors.Join(err, markNow(w.d))
		var seq uint64
		if seq, err = w.d.append(25); err == nil && level == Sync {
			err = s.Wait(context.Background(), seq)
		}
		disk := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rand.New(rand.NewPCG(seed, 1))})
		err = errors.Join(err, s.Close())
		var listErr error
		if w.f, listErr = filesOf(disk, "db"); listErr != nil {
			return listErr
		}
	}
	if err != nil {
		return err
	}
	fs, err := w.f.fs()
	if err != nil {
		return err
	}
	s, err = open("db", Options{FS: fs, MustExist: true}, small)
	if err != nil {
		return err
	}
	w.end = s.LastSeq()
	return s.Close()
}

// injuries damages the bytes of a file in one way each.
var injuries = []struct {
	name string
	do   func(rng *rand.Rand, b []byte) []byte // nil: the file is deleted
}{
	{"bits flipped", func(rng *rand.Rand, b []byte) []byte {
		for range 1 + rng.IntN(4) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		return b
	}},
	{"range zeroed", func(rng *rand.Rand, b []byte) []byte {
		at := rng.IntN(len(b))
		clear(b[at:min(len(b), at+1+rng.IntN(4096))])
		return b
	}},
	{"cut short", func(rng *rand.Rand, b []byte) []byte { return b[:rng.IntN(len(b))] }},
	{"deleted", func(*rand.Rand, []byte) []byte { return nil }},
	{"random bytes", func(rng *rand.Rand, b []byte) []byte {
		at := rng.IntN(len(b))
		for i := at; i < min(len(b), at+1+rng.IntN(512)); i++ {
			b[i] = byte(rng.Uint32())
		}
		return b
	}},
	{"pieces swapped", func(rng *rand.Rand, b []byte) []byte {
		n := 1 + len(b)/8
		x, y := rng.IntN(len(b)-n+1), rng.IntN(len(b)-n+1)
		piece := slices.Clone(b[x : x+n])
		copy(b[x:], b[y:y+n])
		copy(b[y:], piece)
		return b
	}},
	{"bytes appended", func(rng *rand.Rand, b []byte) []byte {
		for range 1 + rng.IntN(100) {
			b = append(b, byte(rng.Uint32()))
		}
		return b
	}},
	{"piece doubled", func(rng *rand.Rand, b []byte) []byte {
		at := rng.IntN(len(b))
		return slices.Insert(b, at, slices.Clone(b[at:min(len(b), at+100)])...)
	}},
}

// outcome is what Salvage said of a damaged store, after the test has found it true.
type outcome string

const (
	wholeCopy   outcome = "whole"
	blindSpot   outcome = "whole, though the end of the log is gone" // see the doc of Salvaged.Whole
	prefixCopy  outcome = "a prefix"
	namedSets   outcome = "sets named"
	allDoubtful outcome = "any set may be older"
	refusedAll  outcome = "refused: a newer format"
)

// salvage damages a file of the wreck, salvages the store, and compares the copy with the history.
func (w *wreck) salvage(f files) (outcome, error) {
	fs, err := f.fs()
	if err != nil {
		return "", err
	}
	done, err := Salvage(context.Background(), "db", "new", Options{FS: fs})
	if errors.Is(err, ErrNewerFormat) {
		return refusedAll, nil
	}
	if err != nil {
		return "", err
	}
	s, err := open("new", Options{FS: fs, MustExist: true}, small)
	if err != nil {
		return "", err
	}
	got, err := read(s)
	if err = errors.Join(err, tidy(s), s.Close()); err != nil {
		return "", err
	}
	want, last := w.d.at(s.LastSeq())
	if s.LastSeq() != done.Copy.LastSeq || s.LastSeq() > uint64(last) {
		return "", fmt.Errorf("the copy ends at commit %d, Salvage says %d, there were %d", s.LastSeq(), done.Copy.LastSeq, w.end)
	}
	if done.Prefix() {
		return w.prefix(done, got.String(), want)
	}
	if done.Whole() {
		return "", errors.New("whole, but not a prefix")
	}
	if done.Stale {
		return allDoubtful, nil
	}
	return namedSets, compareOthers(done, pieces(got.String()), pieces(want))
}

// prefix compares a copy of which Salvage says that it is a prefix.
func (w *wreck) prefix(done Salvaged, got, want string) (outcome, error) {
	switch {
	case got != want:
		return "", fmt.Errorf("not the state after commit %d:\n%s\nwant\n%s", done.Copy.LastSeq, got, want)
	case !done.Whole():
		return prefixCopy, nil
	case done.Copy.LastSeq == w.end:
		return wholeCopy, nil
	case w.kind == "closed":
		return "", fmt.Errorf("whole, but it ends at commit %d of %d", done.Copy.LastSeq, w.end)
	}
	return blindSpot, nil
}

// compareOthers compares the sets of which Salvage does not say that they may differ.
func compareOthers(done Salvaged, got, want map[string]string) error {
	if done.PrivateAhead || done.PrivateGaps > 0 {
		delete(got, "private")
		delete(want, "private")
	}
	for _, set := range done.Sets {
		delete(got, fmt.Sprintf("%q", set.Key))
		delete(want, fmt.Sprintf("%q", set.Key))
	}
	if done.Gaps > 0 { // sets may be missing
		for set := range want {
			if got[set] == "" {
				delete(want, set)
			}
		}
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("%w: named are %v, %d gaps; they are\n%v\nwant\n%v", errOther, done.Sets, done.Gaps, got, want)
	}
	return nil
}

// TestCheckAndSalvageTellWhatIsMissing: whatever the damage, the copy is a prefix of the history and Salvage says so, or every set that differs is
// named, or any set is said to be in doubt. Salvage never calls a copy whole that is not, but for the end of the log of a store that was not closed,
// which may be lost without a trace.
func TestCheckAndSalvageTellWhatIsMissing(t *testing.T) {
	const seeds = 8
	n := matrix.Pick(160, 2000)
	var mu sync.Mutex
	table := map[string]map[outcome]int{}
	var wg sync.WaitGroup
	jobs := make(chan int)
	var all []*wreck
	for seed := range uint64(min(seeds, 1+n/100)) {
		made, err := wrecks(seed)
		require.NoError(t, err)
		all = append(all, made...)
	}
	for range 2 {
		wg.Go(func() {
			for i := range jobs {
				w, rng := all[i%len(all)], rand.New(rand.NewPCG(uint64(i), 77))
				injury, names := injuries[i/len(all)%len(injuries)], w.f.names()
				if injury.name == "deleted" { // empty files too: markers
					names = slices.Sorted(maps.Keys(w.f))
				}
				path := names[rng.IntN(len(names))]
				got, err := w.salvage(w.f.with(path, injury.do(rng, slices.Clone(w.f[path]))))
				mu.Lock()
				if err != nil {
					t.Errorf("case %d, %s, %s of %s: %v", i, w.kind, injury.name, path, err)
				}
				for _, row := range []string{w.kind, injury.name, "file " + kindOfFile(path), "all"} {
					if table[row] == nil {
						table[row] = map[outcome]int{}
					}
					table[row][got]++
				}
				mu.Unlock()
			}
		})
	}
	for i := range n {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	for _, row := range slices.Sorted(maps.Keys(table)) {
		t.Logf("%s: %v", row, table[row])
	}
	matrix.Row(t, 12, "%d damaged stores salvaged: %v; 0 called whole or a prefix that are not", n, table["all"])
}

// TestSalvageOfNothing: nothing is left of a closed store whose tables and logs are all gone. The copy ends before the first commit, and Salvage says
// that any set may be missing.
func TestSalvageOfNothing(t *testing.T) {
	w := wreck{kind: "closed"}
	require.NoError(t, w.fill(1, Sync))
	f := maps.Clone(w.f)
	maps.DeleteFunc(f, func(path string, _ []byte) bool { return kindOfFile(path) == ".sst" || kindOfFile(path) == ".log" })
	require.Less(t, len(f), len(w.f))
	got, err := w.salvage(f)
	require.NoError(t, err)
	require.Equal(t, allDoubtful, got)
}

// kindOfFile returns what a file of a store is.
func kindOfFile(path string) string {
	base := path[strings.LastIndex(path, "/")+1:]
	for _, kind := range []string{".log", ".sst", "MANIFEST", "marker"} {
		if strings.Contains(base, kind) {
			return kind
		}
	}
	return base
}

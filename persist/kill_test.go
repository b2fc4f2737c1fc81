package persist

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// killed counts the results of kills.
type killed struct {
	kills, early int // early: before the first commit was acknowledged
	acked        int
	lost         int           // acknowledged and not found
	worst        time.Duration // age of the oldest of those, when the kill was sent
	flush        time.Duration // the slowest flush before a kill
}

// kills repeats n times: it runs a process with many writers in a directory, kills it at a random moment, and checks the store. At level
// Sync it leaves some of the checks to the next process, which then opens the store first.
func kills(dir string, level Level, n int, seed uint64) (f killed, err error) {
	rng := rand.New(rand.NewPCG(seed, uint64(level)))
	m := newShadow()
	for ; f.kills < n; f.kills++ {
		h, err := runChild(fmt.Sprintf("load %s %v", dir, level), moment(rng))
		if err != nil {
			return f, err
		}
		if len(h.opened) > 0 && h.opened[0] < m.promised {
			return f, fmt.Errorf("kill %d: the process found %d commits, %d were acknowledged", f.kills, h.opened[0], m.promised)
		}
		f.acked += len(h.acks)
		f.flush = max(f.flush, h.slowest)
		if len(h.acks) == 0 {
			f.early++
		}
		promised := h.durable
		if level == Sync {
			promised = max(promised, h.highest())
		}
		if f.kills%3 == 2 && level == Sync && f.kills < n-1 {
			m.promised = max(promised, m.promised) // checked after the next process has opened the store
			continue
		}
		last, err := m.check(dir, max(promised, m.promised))
		if err != nil {
			return f, fmt.Errorf("kill %d: %w", f.kills, err)
		}
		for _, a := range h.acks {
			if a.seq > last {
				f.lost++
				f.worst = max(f.worst, h.killed.Sub(a.at))
			}
		}
	}
	return f, nil
}

func killRow(t *testing.T, level Level) killed {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	f, err := kills(filepath.Join(t.TempDir(), "db"), level, matrix.Pick(5, 500), seed)
	require.NoError(t, err)
	return f
}

func TestKillAtSyncLosesNothing(t *testing.T) {
	f := killRow(t, Sync)
	require.Zero(t, f.lost)
	matrix.Row(t, 1, "%d kills, %d of them before the first acknowledgement, %d commits acknowledged, %d lost, 0 gaps", f.kills, f.early, f.acked, f.lost)
}

func TestKillAtIntervalLosesAnIntervalAtMost(t *testing.T) {
	f := killRow(t, Interval)
	matrix.Row(t, 2, "%d kills, %d commits acknowledged, %d lost, the oldest acknowledged %v before its kill; interval %v, slowest flush %v; 0 gaps, nothing lost that was called durable",
		f.kills, f.acked, f.lost, f.worst.Round(100*time.Microsecond), childInterval, f.flush.Round(100*time.Microsecond))
}

func TestKillAtNoneLosesATail(t *testing.T) {
	f := killRow(t, None)
	matrix.Row(t, 3, "%d kills, %d commits acknowledged, %d lost; 0 gaps, nothing lost from before a snapshot or flush", f.kills, f.acked, f.lost)
}

// suicides runs processes that kill themselves before their n-th file operation, for about one n in every. It checks the store that each
// leaves, and returns how many processes died in each phase.
func suicides(dir string, every int, seed uint64) (phases map[string]int, err error) {
	whole, err := runChild("script "+filepath.Join(dir, "whole")+" 0", 0)
	if err != nil {
		return nil, err
	}
	if whole.operations == 0 {
		return nil, fmt.Errorf("the script did not end: %s", whole.other)
	}
	phases = map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	var bad []error
	next := make(chan uint64)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for n := range next {
				h, err := suicide(filepath.Join(dir, fmt.Sprint(n)), n)
				mu.Lock()
				if h.phase != "" {
					phases[h.phase]++
				}
				if err != nil {
					bad = append(bad, fmt.Errorf("killed before operation %d, in %s: %w", n, h.phase, err))
				}
				mu.Unlock()
			}
		})
	}
	rng := rand.New(rand.NewPCG(seed, 4))
	for n := uint64(1); n <= whole.operations; {
		next <- n
		if n++; n+10 < whole.operations { // try each of the last ten operations, which belong to Close
			n += rng.Uint64N(uint64(2*every - 1))
		}
	}
	close(next)
	wg.Wait()
	return phases, few(bad)
}

func suicide(dir string, n uint64) (heard, error) {
	h, err := runChild(fmt.Sprintf("script %s %d", dir, n), 0)
	if err != nil {
		return h, err
	}
	m := newShadow()
	last, err := m.check(dir, max(h.durable, h.highest()))
	if err != nil {
		return h, err
	}
	again, err := m.check(dir, last)
	if again != last {
		err = errors.Join(err, fmt.Errorf("opened with %d commits, and then with %d", last, again))
	}
	return h, err
}

func TestKillInsideOpenSnapshotAndClose(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	phases, err := suicides(t.TempDir(), matrix.Pick(17, 1), seed)
	require.NoError(t, err)
	total := 0
	for _, n := range phases {
		total += n
	}
	matrix.Row(t, 4, "%d points: create %d, open %d, commit %d, snapshot with publish and truncation %d, close %d; nothing acknowledged lost",
		total, phases["create"], phases["open"], phases["commit"], phases["snapshot"], phases["close"])
}

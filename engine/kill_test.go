package engine

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// killed is what the parent knows of a directory whose processes it kills.
type killed struct {
	dir       string
	acked     [killWorkers]int // the last transaction of each worker that has returned
	kinds     map[string]int   // calls that have returned, by kind
	kills     int
	since     int // kills since the last look: each may have left one more transaction of a worker than was acknowledged
	early     int // kills before Open had returned
	looks     int
	leftovers int // times that Open has found a staged set
}

// kill starts a process and kills it: after life from the line "begun", or, if early, after a fifth of life from its start.
func (k *killed) kill(seed uint64, life time.Duration, early bool) error {
	c := exec.Command(os.Args[0], "-test.run=^TestKillChild$")
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", killChild, k.dir, seed))
	c.Stderr = os.Stderr
	pipe, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		return err
	}
	kill := func() { _ = c.Process.Kill() }
	if early {
		defer time.AfterFunc(life/5, kill).Stop()
	}
	opened, other := false, ""
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		var worker, n int
		var kind string
		text := lines.Text()
		switch word, _, _ := strings.Cut(text, " "); {
		case word == "opened":
			opened = true
			continue
		case word == "begun":
			if !early {
				defer time.AfterFunc(life, kill).Stop()
			}
			continue
		case word == "did":
			kind = "big " + text[4:]
		default:
			if _, err := fmt.Sscanf(text, "acked %d %d %s", &worker, &n, &kind); err != nil {
				other += text + "\n"
				continue
			}
			k.acked[worker] = n
		}
		k.kinds[kind]++
	}
	if err = c.Wait(); c.ProcessState.ExitCode() != -1 {
		return fmt.Errorf("child: %w: %s", err, other)
	}
	k.since++
	if k.kills++; !opened {
		k.early++
	}
	return nil
}

// look opens the directory that the last process has left, and checks it.
func (k *killed) look() error {
	k.looks++
	rep, err := CheckDir(context.Background(), k.dir, Options{}, nil)
	if errors.Is(err, ErrNotStore) {
		return nil
	}
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check of the directory: %v", rep.Problems)
	}
	if err != nil {
		return err
	}
	e, err := Open(k.dir, Options{SnapshotBytes: -1, lazy: true})
	if err != nil {
		return err
	}
	err = e.Flush()
	unfinished, failed := droppedStaged(e)
	err = errors.Join(err, failed)
	if unfinished {
		k.leftovers++
	}
	for i := range killBigs {
		err = errors.Join(err, killWhole(e, fmt.Sprint("big", i)))
	}
	n, counted := e.Count()
	return errors.Join(err, counted, k.conserved(e), sound(e, n), e.Close())
}

// droppedStaged reports whether the last commit is that of Open, which drops staged sets.
func droppedStaged(e *Engine) (bool, error) {
	last := e.m.lastSeq()
	if last == 0 {
		return false, nil
	}
	f, err := e.follower(last - 1)
	if errors.Is(err, ErrFellBehind) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c, err := readCommit(f, last-1)
	if errors.Is(err, ErrFellBehind) {
		return false, nil
	}
	return slices.ContainsFunc(c.Changes, func(x Change) bool {
		return x.Kind == ChangeDrop && x.Key == x.ID && strings.HasPrefix(x.ID, "staged\x00")
	}), err
}

// killWhole checks that a big set has all members and points, or is not there.
func killWhole(e *Engine, key string) error {
	return e.View(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		if err != nil || s.Len() == 0 {
			return err
		}
		if points := scoresOf(s); s.Len() != killBig || points != 10*killBig {
			return fmt.Errorf("%s has %d members and %v points", key, s.Len(), points)
		}
		return nil
	}, key)
}

// scoresOf returns the sum of all scores.
func scoresOf(s *Set) (sum float64) {
	for _, score := range s.Range(0, s.Len()) {
		sum += score
	}
	return sum
}

// conserved checks that all the gold is there, and every transaction that has returned.
func (k *killed) conserved(e *Engine) error {
	keys := killKeys()
	return e.View(context.Background(), func(tx *Tx) error {
		gold, want := 0.0, 0.0
		err := goldOf(tx, keys, func(key string, s *Set, has float64, ok bool) {
			if gold += has; !ok && key == "queue" {
				gold += scoresOf(s)
			}
		})
		if err != nil {
			return err
		}
		_, begun, err := tx.Get("begun")
		if begun {
			want = killGold
		}
		if gold != want {
			err = errors.Join(err, fmt.Errorf("there is %v gold, want %v", gold, want))
		}
		log, failed := tx.Set("log")
		err = errors.Join(err, failed)
		for w, acked := range k.acked {
			name := fmt.Sprint("worker", w)
			n, failed := killNumber(tx, name)
			if score, _ := log.Score([]byte(name)); n < acked || n > acked+k.since || score != float64(n) {
				failed = fmt.Errorf("%s: %d transactions have returned, %d are there by the private key, %v by the set", name, acked, n, score)
			}
			err, k.acked[w] = errors.Join(err, failed), n
		}
		k.since = 0
		return err
	}, append(keys, "log")...)
}

// TestRow01Kill kills a process with SIGKILL at random moments, while it moves gold between sets that are renamed, copied, dropped and expire, and
// stores results bigger than one commit. The next process goes on in the same directory. No acknowledged commit is lost, the sum of the gold is
// right, big sets are whole, and nothing is left of unfinished stores.
func TestRow01Kill(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	k := &killed{dir: filepath.Join(t.TempDir(), "db"), kinds: map[string]int{}}
	for i := range matrix.Pick(5, 200) {
		life := time.Duration(rng.Int64N(int64(300 * time.Millisecond)))
		require.NoError(t, k.kill(seed+uint64(i), life, i%5 == 4))
		if i%3 < 2 { // otherwise the next process is the first to look
			require.NoError(t, k.look(), "after kill %d", k.kills)
		}
	}
	require.NoError(t, k.look())
	total := 0
	for _, n := range k.acked {
		total += n
	}
	require.Positive(t, total)
	did := ""
	for _, kind := range slices.Sorted(maps.Keys(k.kinds)) {
		did += fmt.Sprintf(" %s %d,", kind, k.kinds[kind])
	}
	t.Log("acknowledged:", did)
	matrix.Row(t, 1, "%d kills, %d of them before Open had returned, %d transactions acknowledged, 0 lost; %d looks: the sum always right, big sets whole, nothing left of what was not finished; %d times Open had to drop that",
		k.kills, k.early, total, k.looks, k.leftovers)
}

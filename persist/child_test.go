package persist

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"
)

// crashChild is the environment variable that makes the test program be a process to be killed: what it does, separated by
// spaces. What it has to say goes to its standard output, one line in one write, so that a kill cannot tear it:
//
//	opened SEQ           what Open has found
//	acked SEQ DURABLE    Wait has returned for commit SEQ; DurableSeq was DURABLE
//	durable SEQ          a Flush or a Publish has returned that made SEQ durable
//	flushed MICROS       a Flush took so long
//	killed PHASE KIND    it kills itself before a file operation of this kind
//	operations N         it ended by itself after so many file operations
const crashChild = "ZRANK_TEST_CRASH_CHILD"

// childSeed is the seed of the numbered commits that child and parent both know.
const childSeed = 4

func say(format string, args ...any) { fmt.Fprintf(os.Stdout, format+"\n", args...) }

// TestCrashChild is the child.
func TestCrashChild(t *testing.T) {
	f := strings.Fields(os.Getenv(crashChild))
	if len(f) == 0 {
		t.Skip("runs as a child process only")
	}
	switch f[0] {
	case "load":
		level, err := ParseLevel(f[2])
		require.NoError(t, err)
		require.NoError(t, childLoad(f[1], level))
	case "script":
		n, err := strconv.Atoi(f[2])
		require.NoError(t, err)
		require.NoError(t, childScript(f[1], uint64(n)))
	}
}

// childDriver opens a store for numbered commits, from where it stands.
func childDriver(dir string, o Options) (*driver, error) {
	s, err := open(dir, o, small)
	if err != nil {
		return nil, err
	}
	say("opened %d", s.LastSeq())
	d := newDriver(s, childSeed)
	d.numbered, d.made = true, s.LastSeq()
	for i := range 5 {
		d.dirty[fmt.Sprintf("set%d", i)] = true // perhaps; a snapshot may write what has not changed
	}
	if d.w, err = read(s); err != nil {
		return nil, err
	}
	return d, nil
}

const (
	childWriters  = 8
	childInterval = 20 * time.Millisecond
)

// childLoad makes commits from many goroutines, with snapshots and at level None flushes among them, until it is killed.
func childLoad(dir string, level Level) error {
	d, err := childDriver(dir, Options{Level: level, Interval: childInterval})
	if err != nil {
		return err
	}
	var mu sync.Mutex // commits are made in order, and waited for at will
	fail := make(chan error)
	for range childWriters {
		go func() {
			for {
				mu.Lock()
				seq, err := d.append(1)
				mu.Unlock()
				if err == nil {
					err = d.s.Wait(seq)
				}
				if err != nil {
					fail <- err
				}
				say("acked %d %d", seq, d.s.DurableSeq())
			}
		}()
	}
	go func() {
		for i := 0; ; i++ {
			<-time.After(10 * time.Millisecond)
			mu.Lock()
			last, err := d.s.LastSeq(), error(nil)
			start := time.Now()
			if i%3 < 2 {
				err = d.snapshot(i%3 == 0)
			} else if err = d.s.Flush(); err == nil {
				say("flushed %d", time.Since(start).Microseconds())
			}
			if err == nil && i%3 != 1 {
				say("durable %d", last)
			}
			mu.Unlock()
			if err != nil {
				fail <- err
			}
		}
	}()
	return <-fail
}

// killer kills the process before its n-th operation that changes the disk.
type killer struct {
	n     uint64
	count atomic.Uint64
	phase atomic.Pointer[string]
}

func (k *killer) String() string { return "killer" }

func (k *killer) is(phase string) { k.phase.Store(&phase) }

func (k *killer) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() != errorfs.OpIsWrite || op.Kind == errorfs.OpFilePreallocate || k.count.Add(1) != k.n {
		return nil
	}
	say("killed %s %v", *k.phase.Load(), op.Kind)
	if self, err := os.FindProcess(os.Getpid()); err == nil {
		_ = self.Kill()
	}
	select {} // until the signal arrives
}

// childScript creates a store, commits, takes snapshots, reopens and closes, and dies on the way.
func childScript(dir string, n uint64) error {
	k := &killer{n: n}
	fs := errorfs.Wrap(vfs.Default, k)
	for _, phase := range []string{"create", "open"} {
		k.is(phase)
		d, err := childDriver(dir, Options{FS: fs})
		if err != nil {
			return err
		}
		for i := range 3 {
			k.is("commit")
			for range 12 {
				if err := d.commit(1); err != nil {
					return err
				}
				say("acked %d %d", d.acked.Load(), d.s.DurableSeq())
			}
			k.is("snapshot")
			if err := d.snapshot(i != 1); err != nil {
				return err
			}
			say("acked %d %d", d.acked.Load(), d.s.DurableSeq())
		}
		if _, err := d.append(2); err != nil { // for Close to write
			return err
		}
		k.is("close")
		if err := d.s.Close(); err != nil {
			return err
		}
	}
	say("operations %d", k.count.Load())
	return nil
}

// ack is what a child has said about a commit, and when it was heard.
type ack struct {
	seq uint64
	at  time.Time
}

// heard is what a child has said in its life.
type heard struct {
	opened     []uint64 // what it found
	acks       []ack
	durable    uint64        // the highest commit that it called durable
	slowest    time.Duration // Flush
	phase      string        // where it killed itself
	operations uint64
	killed     time.Time // before the kill; zero: it ended by itself
	other      string    // what else it said
}

// runChild runs a child and kills it after a while; 0 lets it live.
func runChild(task string, life time.Duration) (h heard, err error) {
	c := exec.Command(os.Args[0], "-test.run=^TestCrashChild$")
	c.Env = append(os.Environ(), crashChild+"="+task)
	c.Stderr = os.Stderr
	pipe, err := c.StdoutPipe()
	if err != nil {
		return h, err
	}
	if err := c.Start(); err != nil {
		return h, err
	}
	killed := make(chan time.Time, 1)
	if life > 0 {
		moment := time.AfterFunc(life, func() {
			killed <- time.Now()
			_ = c.Process.Kill()
		})
		defer moment.Stop()
	}
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		h.line(lines.Text())
	}
	err = c.Wait()
	select {
	case h.killed = <-killed:
		if c.ProcessState.ExitCode() == -1 {
			err = nil
		}
	default:
	}
	if err != nil && h.phase == "" {
		return h, fmt.Errorf("child: %w: %s", err, h.other)
	}
	return h, nil
}

func (h *heard) line(text string) {
	var kind string
	var seq, durable uint64
	switch word, _, _ := strings.Cut(text, " "); word {
	case "opened":
		_, _ = fmt.Sscanf(text, "opened %d", &seq)
		h.opened = append(h.opened, seq)
	case "acked":
		_, _ = fmt.Sscanf(text, "acked %d %d", &seq, &durable)
		h.acks = append(h.acks, ack{seq, time.Now()})
		h.durable = max(h.durable, durable)
	case "durable":
		_, _ = fmt.Sscanf(text, "durable %d", &durable)
		h.durable = max(h.durable, durable)
	case "flushed":
		_, _ = fmt.Sscanf(text, "flushed %d", &seq)
		h.slowest = max(h.slowest, time.Duration(seq)*time.Microsecond)
	case "killed":
		_, _ = fmt.Sscanf(text, "killed %s %s", &h.phase, &kind)
	case "operations":
		_, _ = fmt.Sscanf(text, "operations %d", &h.operations)
	default:
		h.other += text + "\n"
	}
}

// highest is the last commit that was acknowledged; 0: none was.
func (h *heard) highest() (seq uint64) {
	for _, a := range h.acks {
		seq = max(seq, a.seq)
	}
	return seq
}

// shadow follows the numbered commits without a store.
type shadow struct {
	*driver
	promised uint64 // commits that a child has acknowledged and that nobody has looked for yet
}

func newShadow() *shadow {
	d := newDriver(nil, childSeed)
	d.numbered = true
	return &shadow{driver: d}
}

// check opens what a child has left and compares it with the model after as many commits as there are: at least the
// last one that the model knows to be there, and all up to durable.
func (m *shadow) check(dir string, durable uint64) (last uint64, err error) {
	s, err := open(dir, Options{}, small)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	last = s.LastSeq()
	if last < durable || last < m.made {
		return last, fmt.Errorf("commit %d is the last, %d were durable, %d were there before", last, durable, m.made)
	}
	for m.made < last {
		m.batch()
	}
	w, err := read(s)
	if err != nil {
		return last, err
	}
	if w.String() != m.w.String() {
		return last, fmt.Errorf("state is not that after commit %d:\n%s\nwant\n%s", last, w, m.w)
	}
	return last, tidy(s)
}

// moment is when a child is killed.
func moment(rng *rand.Rand) time.Duration {
	return time.Millisecond + time.Duration(rng.Int64N(int64(200*time.Millisecond)))
}

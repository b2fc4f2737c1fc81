package persist

import (
	"bufio"
	"context"
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

// crashChild is the environment variable that makes the test program a child process for kill tests. Its value is a task and arguments,
// separated by spaces. The child reports on its standard output, each line with one write, so that a kill cannot tear a line:
//
//	opened SEQ           Open has found SEQ as the last commit
//	acked SEQ DURABLE    Wait has returned for commit SEQ; DurableSeq was DURABLE
//	durable SEQ          a Flush or a Publish has returned that made SEQ durable
//	flushed MICROS       a Flush took MICROS microseconds
//	killed PHASE KIND    the child kills itself before a file operation of this kind
//	operations N         the child ended by itself after N file operations
const crashChild = "ZRANK_TEST_CRASH_CHILD"

// childSeed is the seed of the commits. Child and parent use the same, so that the parent can compute every commit.
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

// childDriver opens a store and returns a driver that continues the numbered commits after the store's last one.
func childDriver(dir string, o Options) (*driver, error) {
	s, err := open(dir, o, small)
	if err != nil {
		return nil, err
	}
	say("opened %d", s.LastSeq())
	d := newDriver(s, childSeed)
	d.numbered, d.made = true, s.LastSeq()
	for i := range 5 {
		d.dirtySets[fmt.Sprintf("set%d", i)] = true // perhaps; a snapshot may write what has not changed
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

// childLoad commits from many goroutines until it is killed. Another goroutine takes and aborts snapshots, and flushes. childLoad
// reports acknowledged and durable commits.
func childLoad(dir string, level Level) error {
	d, err := childDriver(dir, Options{Level: level, Interval: childInterval})
	if err != nil {
		return err
	}
	var mu sync.Mutex // guards the driver: commits are appended in order, and waited for without it
	fail := make(chan error)
	for range childWriters {
		go func() {
			for {
				mu.Lock()
				seq, err := d.append(1)
				mu.Unlock()
				if err == nil {
					err = d.s.Wait(context.Background(), seq)
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

// childScript creates a store, commits, takes snapshots, reopens and closes. The killer kills it before one of the operations.
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

// ack is a child's report of an acknowledged commit, and the time when the parent read it.
type ack struct {
	seq uint64
	at  time.Time
}

// heard is what the parent has read from a child until the child's end.
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

// runChild runs a child process and kills it after the duration life; 0 lets it end by itself. It returns the child's reports. A child
// that was killed is not an error.
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

// line records one line of a child's output; crashChild documents the lines.
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

// highest returns the last acknowledged commit; 0: there is none.
func (h *heard) highest() (seq uint64) {
	for _, a := range h.acks {
		seq = max(seq, a.seq)
	}
	return seq
}

// shadow is a model of the numbered commits without a store.
type shadow struct {
	*driver
	promised uint64 // commits that a child has acknowledged and that nobody has looked for yet
}

func newShadow() *shadow {
	d := newDriver(nil, childSeed)
	d.numbered = true
	return &shadow{driver: d}
}

// check opens the store that a child has left, and compares it with the model after the store's last commit. The store must have at
// least the commits up to durable, and those that an earlier check has found.
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

// moment returns a random time after which a child is killed.
func moment(rng *rand.Rand) time.Duration {
	return time.Millisecond + time.Duration(rng.Int64N(int64(200*time.Millisecond)))
}

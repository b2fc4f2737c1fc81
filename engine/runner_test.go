package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// A script is lines, each one of
//
//	update SET... | operation | ... [| fail or panic]     view SET... | operation | ...
//	snapshot     flush     check     reopen     glance     crash PERCENT     sleep SECONDS     acknowledge
//
// or of those in ints_ops_test.go.
//
// check, reopen and crash compare the whole state. glance reopens without comparing, so that the next lines find the sets on the disk. crash reopens
// the disk after a power cut that keeps PERCENT of the unflushed data.

// runner runs a script on an engine and on the oracle, and returns the first difference as an error.
type runner struct {
	o       Options
	mem     *memfs.FS // nil: memory only
	wrap    func(*memfs.FS) persist.FS
	e       *Engine
	crashes uint64
	clock   atomic.Int64 // seconds

	acked atomic.Uint64 // commits up to this number must survive a power cut
	later bool          // updates do not wait for the disk; only the line "acknowledge" does
	hints int           // calls of hint
	done  uint64        // the last commit of an update; with later, a power cut may undo it

	mu      sync.Mutex
	history []*world // the world after each commit, by sequence number
}

// scriptsBegin is the second at which scripts begin: nothing has expired then.
const scriptsBegin = 1e9

var errScript = errors.New("the script says fail")

func newRunner(o Options, mem *memfs.FS) *runner {
	r := &runner{o: o, mem: mem, history: []*world{newWorld()}}
	r.clock.Store(scriptsBegin)
	r.o.Clock, r.o.lazy = func() time.Time { return time.Unix(r.clock.Load(), 0) }, true
	return r
}

func (r *runner) now() *world {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.history[len(r.history)-1]
}

// at returns the world after commit seq, or nil if there were fewer.
func (r *runner) at(seq uint64) *world {
	r.mu.Lock()
	defer r.mu.Unlock()
	if seq >= uint64(len(r.history)) {
		return nil
	}
	return r.history[seq]
}

func (r *runner) commit(w *world) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, w)
}

func (r *runner) open() (err error) {
	r.done = 0
	if r.mem == nil {
		r.e, err = New(r.o)
		return err
	}
	o := r.o
	o.FS = r.mem
	if r.wrap != nil {
		o.FS = r.wrap(r.mem)
	}
	r.e, err = Open("db", o)
	return err
}

// run opens an engine, does the script and closes it.
func (r *runner) run(script []string) error {
	if err := r.open(); err != nil {
		return err
	}
	for i, line := range script {
		if err := r.step(line); err != nil {
			err = fmt.Errorf("line %d: %s: %w", i, line, err)
			if r.e == nil { // it could not be opened again
				return err
			}
			return errors.Join(err, r.e.Close())
		}
	}
	return r.e.Close()
}

// parse returns the words before the first operation, and those of each operation.
func parse(line string) (head []string, ops [][]string) {
	for _, part := range strings.Split(line, "|") {
		ops = append(ops, strings.Fields(part))
	}
	return ops[0], ops[1:]
}

// step runs one line of a script.
func (r *runner) step(line string) error {
	head, ops := parse(line)
	switch head[0] {
	case "update":
		return r.update(head[1:], ops)
	case "acknowledge":
		return r.acknowledge()
	case "view":
		return r.view(head[1:], ops)
	case "snapshot":
		return r.barrier(r.e.Snapshot())
	case "flush":
		return r.barrier(r.e.Flush())
	case "check":
		return r.check()
	case "sleep":
		r.clock.Add(int64(integer(head[1])))
		return nil
	case "reopen", "glance":
		return r.reopen(head[0] == "reopen")
	case "crash":
		return r.crash(integer(head[1]))
	case "unload":
		return r.e.Unload(head[1:]...)
	case "store":
		return r.store(head[1], head[2], integer(head[3]))
	}
	panic("no such line: " + line)
}

// update runs a transaction on both sides, and compares each answer, the outcome and the number of commits.
func (r *runner) update(keys []string, ops [][]string) (err error) {
	want, seq, logged := error(nil), r.lastSeq(), false
	defer func() {
		if p := recover(); p != nil && p != errScript {
			panic(p)
		}
		if now := r.lastSeq(); err == nil && logged != (now == seq+1) {
			err = fmt.Errorf("the log went from %d to %d, something changed: %v", seq, now, logged)
		}
		if r.done = r.lastSeq(); err == nil && !r.later {
			err = r.acknowledge()
		}
	}()
	keys = r.hint(keys)
	err = r.change(keys, func(tx *Tx) error { // more than once, if a set is on the disk only
		m := r.now().begin(keys, r.clock.Load())
		for _, f := range ops {
			switch f[0] {
			case "panic":
				panic(errScript)
			case "fail":
				want = errScript
				return errScript
			}
			if got, want := engineOp(r.e, tx, f), m.op(f); got != want {
				return fmt.Errorf("%v: got %s, want %s", f, got, want)
			}
		}
		w, changed := m.commit()
		if logged = changed && r.mem != nil; changed {
			r.commit(w)
		}
		return nil
	})
	if errors.Is(err, want) {
		return nil
	}
	return err
}

// hint returns the keys that a transaction names: all, the first, or none, in turn.
func (r *runner) hint(keys []string) []string {
	r.hints++
	return [][]string{keys, keys[:1], nil}[r.hints%3]
}

// change runs a transaction on the engine.
func (r *runner) change(keys []string, fn func(*Tx) error) error {
	if !r.later {
		return r.e.Update(context.Background(), fn, keys...)
	}
	seq, err := r.e.UpdateLater(context.Background(), fn, keys...)
	if seq > r.lastSeq() || err == nil && r.mem == nil && seq != 0 {
		return fmt.Errorf("commit %d, the last is %d", seq, r.lastSeq())
	}
	return err
}

// acknowledge waits until all updates are as durable as the level says.
func (r *runner) acknowledge() error {
	err := r.e.Acknowledge(context.Background(), r.done)
	if err == nil && r.o.Durability == Sync {
		r.acked.Store(max(r.acked.Load(), r.done))
	}
	return err
}

func (r *runner) lastSeq() uint64 {
	if r.mem == nil {
		return 0
	}
	return r.e.store.LastSeq()
}

func (r *runner) view(keys []string, ops [][]string) error {
	keys = r.hint(keys)
	return r.e.View(context.Background(), func(tx *Tx) error {
		m := r.now().begin(keys, r.clock.Load())
		for _, f := range ops {
			if got, want := engineOp(r.e, tx, f), m.op(f); got != want {
				return fmt.Errorf("%v: got %s, want %s", f, got, want)
			}
		}
		return nil
	}, keys...)
}

// barrier notes that all commits are durable, unless err is set.
func (r *runner) barrier(err error) error {
	if err == nil {
		r.acked.Store(r.lastSeq())
	}
	return err
}

func (r *runner) check() error { return compare(r.e, r.now(), r.clock.Load()) }

// compare compares all that an engine holds with a world.
func compare(e *Engine, w *world, now int64) error {
	want := w.visible(now)
	got, err := stateOf(e)
	if err != nil {
		return err
	}
	if got.String() != want.String() {
		return fmt.Errorf("state is\n%swant\n%s", got, want)
	}
	st, err := e.Stats()
	if err == nil && (st.Sets != len(w.sets) || st.Loaded < len(want.sets) && e.keys.Accounts.Limit == 0) {
		err = fmt.Errorf("%+v, want %d sets, and those that are not expired loaded", st, len(w.sets))
	}
	return errors.Join(err, inOrderInside(e))
}

func (r *runner) reopen(look bool) error {
	if r.mem == nil {
		return r.check()
	}
	if err := r.e.Close(); err != nil {
		return err
	}
	if err := r.open(); err != nil {
		return err
	}
	if err := r.barrier(nil); err != nil || !look {
		return err
	}
	if got, want := r.lastSeq(), uint64(len(r.history)-1); got != want {
		return fmt.Errorf("opened at commit %d, want %d", got, want)
	}
	return r.check()
}

// crash goes on with the disk after a power cut, which must have the first n commits, including all acknowledged ones.
func (r *runner) crash(percent int) error {
	if r.mem == nil {
		return nil
	}
	acked := r.acked.Load()
	r.crashes++
	left := powercut.Clone(r.mem, percent, r.crashes)
	if err := r.e.Close(); err != nil {
		return err
	}
	r.mem = left
	if err := r.open(); err != nil {
		return err
	}
	if err := r.prefix(r.e, acked, r.clock.Load()); err != nil {
		return err
	}
	r.history = slices.Clip(r.history[:r.lastSeq()+1])
	return r.barrier(nil)
}

// prefix checks that an engine holds the first n commits, for some n, including all acknowledged ones.
func (r *runner) prefix(e *Engine, acked uint64, now int64) error {
	n := e.store.LastSeq()
	want := r.at(n)
	if n < acked || want == nil {
		return fmt.Errorf("%d commits are there, %d were acknowledged, %d made", n, acked, len(r.history)-1)
	}
	if err := compare(e, want, now); err != nil {
		return fmt.Errorf("after commit %d of %d: %w", n, len(r.history)-1, err)
	}
	return nil
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
)

// history collects operations of concurrent clients.
type history struct {
	start  time.Time
	seed   uint64
	writes []string // kinds of operations that change something
	ints   bool     // on sets with int64 scores
	clock  *linearClock
	mu     sync.Mutex
	ops    []porcupine.Operation
	err    error
}

func newHistory(seed uint64, writes []string) *history {
	return &history{start: time.Now(), seed: seed, writes: writes, ints: slices.Equal(writes, linearInts), clock: newLinearClock()}
}

func (h *history) now() int64 { return int64(time.Since(h.start)) }

func (h *history) failed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = errors.Join(h.err, err)
}

const linearClients = 6

// run lets the clients do n operations in all, or fewer if stop is set, while snapshots, evictions, unloads, flushes and checks run. With barrier,
// a client waits after a read or a refusal until the state that it shows is durable.
func (h *history) run(e *Engine, n int, barrier bool, stop *atomic.Bool) {
	var clients, others sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(n))
	for c := range linearClients {
		rng := rand.New(rand.NewPCG(h.seed, uint64(c)))
		clients.Go(func() {
			for left.Add(-1) >= 0 && !stop.Load() {
				h.one(e, c, randomOp(rng, h.writes), barrier)
			}
		})
	}
	var done atomic.Bool
	snapshot := func() error {
		err := e.Snapshot()
		e.residency.Sweep()
		return err
	}
	unload := func() error { return e.Unload(linearKeys...) }
	for _, background := range []func() error{snapshot, unload, e.Flush, func() error { return checked(e) }} {
		others.Go(func() {
			for e.store != nil && !done.Load() {
				if err := background(); err != nil {
					h.failed(err)
					return
				}
			}
		})
	}
	clients.Wait()
	done.Store(true)
	others.Wait()
}

// checked checks all that is stored.
func checked(e *Engine) error {
	rep, err := e.Check(context.Background(), nil)
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check: %v", rep.Problems)
	}
	return err
}

func (h *history) one(e *Engine, client int, op linearOp, barrier bool) {
	if op.ints = h.ints; op.ints && (op.kind == "union" || op.kind == "diff") { // sets with int64 scores have no set operations
		op.kind = "both"
	}
	call := h.now()
	answer, err := op.do(e, h.clock)
	if err == nil && barrier && (op.reads() || slices.Contains(linearRefusals, answer)) {
		err = e.Flush()
	}
	at := h.now()
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.err = errors.Join(h.err, fmt.Errorf("%+v: %w", op, err))
		return
	}
	h.ops = append(h.ops, porcupine.Operation{ClientId: client, Input: op, Call: call, Output: answer, Return: at})
}

// crashed cuts the history at a power cut, which came between the times from and to. Writes that had not returned may have happened. No later call
// happened, except that the clock went on.
func (h *history) crashed(from, to int64) {
	var kept []porcupine.Operation
	for _, o := range h.ops {
		op := o.Input.(linearOp)
		switch {
		case o.Return < from || op.kind == "advance":
			kept = append(kept, o)
		case o.Call <= to && !op.reads():
			op.unsure = true
			o.Input, o.Return = op, max(to, o.Call)
			kept = append(kept, o)
		}
	}
	h.ops = kept
}

// explained says whether some order explains the history.
func (h *history) explained() error {
	if h.err != nil {
		return h.err
	}
	if result := porcupine.CheckOperationsTimeout(linearModel(maphash.MakeSeed()), h.ops, time.Minute); result != porcupine.Ok {
		return fmt.Errorf("history of %d operations, seed %d: %s", len(h.ops), h.seed, result)
	}
	return nil
}

// linearFigures counts histories, operations and their answers.
type linearFigures struct {
	histories, operations, unsure int
	snapshots, evicted, expired   uint64
	answers                       map[string]int // by kind; refusals are counted separately
}

// engine adds the figures of an engine before it is closed.
func (f *linearFigures) engine(e *Engine) {
	if st, err := e.Stats(); err == nil {
		f.snapshots, f.evicted, f.expired = f.snapshots+st.Snapshots.Taken, f.evicted+uint64(st.Evicted), f.expired+st.Expired
	}
}

func (f *linearFigures) add(h *history) {
	f.histories, f.operations = f.histories+1, f.operations+len(h.ops)
	if f.answers == nil {
		f.answers = map[string]int{}
	}
	for _, o := range h.ops {
		op := o.Input.(linearOp)
		if op.unsure {
			f.unsure++
		}
		if answer := o.Output.(string); slices.Contains(linearRefusals, answer) || answer == "0" || answer == "false" {
			f.answers[op.kind+": "+answer]++
		} else {
			f.answers[op.kind]++
		}
	}
}

func (f *linearFigures) String() string {
	text := fmt.Sprintf("%d histories of %d operations, %d snapshots, %d evictions, %d expiries:", f.histories, f.operations, f.snapshots,
		f.evicted, f.expired)
	for _, kind := range slices.Sorted(maps.Keys(f.answers)) {
		text += fmt.Sprintf(" %s %d,", kind, f.answers[kind])
	}
	return text
}

// linearRow is a configuration.
type linearRow struct {
	name string
	Options
	writes []string
	memory bool // only
	copies bool // set operations copy their inputs while writers go on; then a store is not atomic
}

var linearRows = []linearRow{
	{name: "memory", writes: linearAll, memory: true},
	{name: "sync", writes: linearAll, Options: Options{SnapshotBytes: 1}},
	{name: "interval", writes: linearAll, Options: Options{Durability: Interval, Interval: time.Millisecond}},
	{name: "limit", writes: linearAll, Options: Options{Durability: None, MemoryLimit: 1, SnapshotBytes: -1}},
	{name: "ints", writes: linearInts, Options: Options{SnapshotBytes: 1}, copies: true},
	{name: "ints/limit", writes: linearInts, Options: Options{Durability: None, MemoryLimit: 1, SnapshotBytes: -1}},
	{name: "copies", writes: linearSets, Options: Options{Durability: None, SnapshotBytes: 1}, copies: true},
}

func (row linearRow) open(h *history) (e *Engine, err error) {
	row.Clock = h.clock.now
	if row.memory {
		return New(row.Options)
	}
	if e, err = Open("db", row.Options); err == nil && row.copies {
		e.ops.pageWork = 1
	}
	return e, err
}

// run checks one history without a crash, and that the engine opens with what it closed with.
func (row linearRow) run(f *linearFigures, seed uint64, n int) error {
	row.FS = memfs.New()
	h := newHistory(seed, row.writes)
	e, err := row.open(h)
	if err != nil {
		return err
	}
	h.run(e, n, false, new(atomic.Bool))
	h.one(e, 0, linearOp{kind: "both"}, false)
	f.engine(e)
	h.failed(errors.Join(e.Close(), inOrderInside(e)))
	if !row.memory {
		if e, err = row.open(h); err != nil {
			return err
		}
		h.one(e, 0, linearOp{kind: "both"}, false)
		h.failed(errors.Join(e.Close(), inOrderInside(e)))
	}
	f.add(h)
	return h.explained()
}

// cutAt takes a copy of the disk before its n-th operation, as a power cut would leave it.
type cutAt struct {
	mem      *memfs.FS
	h        *history
	n        atomic.Int64
	percent  int
	from, to int64
	left     *memfs.FS
	cut      atomic.Bool
}

func (c *cutAt) String() string { return "cutAt" }

func (c *cutAt) MaybeError(op errorfs.Op) error {
	if powercut.Changes(op) && c.n.Add(-1) == 0 {
		c.from = c.h.now()
		c.left = powercut.Clone(c.mem, c.percent, c.h.seed)
		c.to = c.h.now()
		c.cut.Store(true)
	}
	return nil
}

// linearCrash checks one history with a power cut, at level Sync: after it clients go on with the recovered engine.
func linearCrash(f *linearFigures, seed uint64, n int) error {
	rng := rand.New(rand.NewPCG(seed, 34))
	c := &cutAt{mem: memfs.NewCrashable(), h: newHistory(seed, [][]string{linearAll, linearInts}[seed%2]), percent: rng.IntN(3) * 50}
	row := linearRow{Options: Options{FS: errorfs.Wrap(c.mem, c), SnapshotBytes: -1, MemoryLimit: rng.Int64N(2)}}
	e, err := row.open(c.h)
	if err != nil {
		return err
	}
	c.n.Store(1 + rng.Int64N(int64(n)))
	c.h.run(e, n, true, &c.cut)
	f.engine(e)
	c.h.failed(e.Close())
	if c.cut.Load() {
		c.h.crashed(c.from, c.to)
		row.FS = c.left
		if e, err = row.open(c.h); err != nil {
			return err
		}
		c.h.one(e, 0, linearOp{kind: "both"}, false)
		c.h.run(e, n/4, true, new(atomic.Bool))
		c.h.failed(e.Close())
	}
	f.add(c.h)
	return c.h.explained()
}

// TestRow34Linearizable checks histories in all configurations, and histories with power cuts.
func TestRow34Linearizable(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	histories, total := 0, 0
	for _, row := range linearRows {
		t.Run(row.name, func(t *testing.T) {
			var f linearFigures
			for i := range uint64(matrix.Pick(1, 60)) {
				require.NoError(t, row.run(&f, seed+i, times(matrix.Pick(400, 2000))))
			}
			t.Log(f.String())
			histories, total = histories+f.histories, total+f.operations
		})
	}
	var f linearFigures
	for i := range uint64(matrix.Pick(6, 2000)) {
		require.NoError(t, linearCrash(&f, seed+i, 400))
	}
	t.Log("with a power cut: ", f.String())
	matrix.Row(t, 34, "%d histories, %d more across a power cut with %d calls cut off, %d clients, %d operations: 0 illegal, 0 unknown",
		histories, f.histories, f.unsure, linearClients, total+f.operations)
}

package engine

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
)

// history collects operations of concurrent clients.
type history struct {
	start time.Time
	seed  uint64
	mu    sync.Mutex
	ops   []porcupine.Operation
	err   error
}

func newHistory(seed uint64) *history { return &history{start: time.Now(), seed: seed} }

func (h *history) now() int64 { return int64(time.Since(h.start)) }

func (h *history) failed(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = errors.Join(h.err, err)
}

const linearClients = 6

// run lets the clients do n operations in all, or until stop, with snapshots and flushes beside them. With barrier, a client
// takes an answer to a read for given when what it shows is durable.
func (h *history) run(e *Engine, n int, barrier bool, stop *atomic.Bool) {
	var clients, others sync.WaitGroup
	var left atomic.Int64
	left.Store(int64(n))
	for c := range linearClients {
		rng := rand.New(rand.NewPCG(h.seed, uint64(c)))
		clients.Go(func() {
			for left.Add(-1) >= 0 && !stop.Load() {
				h.one(e, c, randomOp(rng), barrier)
			}
		})
	}
	var done atomic.Bool
	for _, beside := range []func() error{e.Snapshot, e.Flush} {
		others.Go(func() {
			for !done.Load() {
				if err := beside(); err != nil {
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

func (h *history) one(e *Engine, client int, op linearOp, barrier bool) {
	call := h.now()
	answer, err := op.do(e)
	if err == nil && barrier && op.reads() {
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

// crashed cuts the history where the power was cut, between two moments: writes that had not returned may have happened,
// and nothing else did that came later.
func (h *history) crashed(from, to int64) {
	var kept []porcupine.Operation
	for _, o := range h.ops {
		op := o.Input.(linearOp)
		switch {
		case o.Return < from:
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

// linearRun checks one history without a crash, and that the engine opens with what it closed with.
func linearRun(o Options, seed uint64, n int) (ops int, err error) {
	o.FS = vfs.NewMem()
	e, err := Open("db", o)
	if err != nil {
		return 0, err
	}
	h := newHistory(seed)
	h.run(e, n, false, new(atomic.Bool))
	h.failed(e.Close())
	if e, err = Open("db", o); err != nil {
		return 0, err
	}
	h.one(e, 0, linearOp{kind: "both"}, false)
	h.failed(e.Close())
	return len(h.ops), h.explained()
}

// cutAt takes a copy of the disk before its n-th operation, as a power cut would leave it.
type cutAt struct {
	mem      *vfs.MemFS
	h        *history
	n        atomic.Int64
	percent  int
	from, to int64
	left     *vfs.MemFS
	cut      atomic.Bool
}

func (c *cutAt) String() string { return "cutAt" }

func (c *cutAt) MaybeError(op errorfs.Op) error {
	if writes(op) && c.n.Add(-1) == 0 {
		c.from = c.h.now()
		c.left = powerCut(c.mem, c.percent, c.h.seed)
		c.to = c.h.now()
		c.cut.Store(true)
	}
	return nil
}

// linearCrash checks one history with a power cut in it, at level Sync: clients go on with what is left.
func linearCrash(seed uint64, n int) (ops, unsure int, err error) {
	rng := rand.New(rand.NewPCG(seed, 34))
	c := &cutAt{mem: vfs.NewCrashableMem(), h: newHistory(seed), percent: rng.IntN(3) * 50}
	e, err := Open("db", Options{FS: errorfs.Wrap(c.mem, c), SnapshotBytes: -1})
	if err != nil {
		return 0, 0, err
	}
	c.n.Store(1 + rng.Int64N(int64(n)))
	c.h.run(e, n, true, &c.cut)
	c.h.failed(e.Close())
	if c.cut.Load() {
		c.h.crashed(c.from, c.to)
		if e, err = Open("db", Options{FS: c.left, SnapshotBytes: -1}); err != nil {
			return 0, 0, err
		}
		c.h.one(e, 0, linearOp{kind: "both"}, false)
		c.h.run(e, n/4, true, new(atomic.Bool))
		c.h.failed(e.Close())
	}
	for _, o := range c.h.ops {
		if o.Input.(linearOp).unsure {
			unsure++
		}
	}
	return len(c.h.ops), unsure, c.h.explained()
}

func TestRow34Linearizable(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	histories, total := 0, 0
	for i := range uint64(matrix.Pick(6, 150)) {
		for _, o := range []Options{{SnapshotBytes: 1}, {Durability: Interval, Interval: time.Millisecond}} {
			n, err := linearRun(o, seed+i, times(4000))
			require.NoError(t, err)
			histories, total = histories+1, total+n
		}
	}
	crashes, unsure := 0, 0
	for i := range uint64(matrix.Pick(40, 2000)) {
		n, u, err := linearCrash(seed+i, 400)
		require.NoError(t, err)
		crashes, unsure, total = crashes+1, unsure+u, total+n
	}
	matrix.Row(t, 34, "%d histories, %d more across a power cut with %d calls cut off, %d clients, %d operations: 0 illegal, 0 unknown",
		histories, crashes, unsure, linearClients, total)
}

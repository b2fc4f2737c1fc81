package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/matrix"
)

// linearWorld is a game with boards and guilds for random transactions.
type linearWorld struct {
	*game
	boards map[string]board.Board
	guilds board.Groups

	start   time.Time
	mu      sync.Mutex
	history []porcupine.Operation
	err     error
	runs    atomic.Int64 // of closures
	most    atomic.Int64 // of one closure
}

func newLinearWorld(t testing.TB, durable bool) *linearWorld {
	w := &linearWorld{game: newGame(t, durable), boards: map[string]board.Board{}}
	w.guilds = errorless(w.bs.DefineGroups(context.Background(), "guild"))
	specs := append(linearBoards[:len(linearBoards):len(linearBoards)], board.Spec{Name: "sum", Derived: &board.Derived{From: "plain", Groups: "guild"}},
		board.Spec{Name: "best", Derived: &board.Derived{From: "plain", Groups: "guild", Op: board.GroupBest}})
	for _, spec := range specs {
		w.boards[spec.Name] = w.define(spec)
	}
	return w
}

// run lets clients make random transactions, each so many, and now and then something that moves the sets of boards.
func (w *linearWorld) run(seed uint64, clients, each int) {
	var wg sync.WaitGroup
	w.start = time.Now()
	for id := range clients {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(id)))
			for range each {
				if rng.IntN(12) == 0 {
					w.failed(w.disturb(rng))
				}
				c := randomLinearCall(rng)
				locked, reads, err := w.call(c)
				back := time.Since(w.start).Nanoseconds()
				if w.failed(err) {
					return
				}
				w.mu.Lock()
				w.history = append(w.history, porcupine.Operation{ClientId: id, Input: c, Call: locked, Output: reads, Return: back})
				w.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func (w *linearWorld) failed(err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = errors.Join(w.err, err)
	return err != nil
}

// call makes a transaction, and returns what its last run has read, and when it had all its locks: it takes effect between then and its return.
func (w *linearWorld) call(c linearCall) (locked int64, reads []int64, err error) {
	runs := int64(0)
	do := func(tx *engine.Tx) error {
		reads, runs = nil, runs+1
		t := &linearTx{tx, w, c.end == "view"}
		for _, x := range c.steps {
			n, err := t.do(x)
			if err != nil {
				return err
			}
			reads = append(reads, n)
		}
		if locked = time.Since(w.start).Nanoseconds(); c.end == "fail" {
			return errChangedMind
		}
		return nil
	}
	run := w.e.Update
	if c.end == "view" {
		run = w.e.View
	}
	if err = run(context.Background(), do); c.end == "fail" && errors.Is(err, errChangedMind) {
		err = nil
	}
	w.runs.Add(runs)
	for most := w.most.Load(); runs > most && !w.most.CompareAndSwap(most, runs); most = w.most.Load() {
	}
	if err != nil {
		err = fmt.Errorf("%v: %w", c, err)
	}
	return locked, reads, err
}

// disturb migrates a board, closes periods whose time is up, stores a snapshot, computes the scores of guilds again, makes or drops a board of guilds, or submits for another
// member, so that parts split.
func (w *linearWorld) disturb(rng *rand.Rand) (err error) {
	ctx := context.Background()
	name := linearBoards[rng.IntN(len(linearBoards))].Name
	switch rng.IntN(6) {
	case 0:
		spec := w.boards[name].Spec()
		spec.MaxMeta = rng.IntN(50)
		_, err = w.bs.Migrate(ctx, spec)
	case 1:
		w.clock.Add(time.Duration(1+rng.IntN(90)) * time.Minute)
		_, err = w.bs.CloseDue(ctx)
	case 2:
		if w.mem != nil {
			err = w.e.Snapshot()
		}
	case 3:
		if n, err := w.boards["sum"].Rebuild(ctx); err != nil || n > 0 {
			return fmt.Errorf("%d groups did not have the scores of their members, %w", n, err)
		}
	case 4:
		spec := board.Spec{Name: "count", Derived: &board.Derived{From: "plain", Groups: "guild", Op: board.GroupCount}}
		if _, err = w.bs.Define(ctx, spec); err == nil && rng.IntN(2) == 0 {
			err = w.bs.Drop(ctx, "count")
		}
		if errors.Is(err, board.ErrNoBoard) || errors.Is(err, board.ErrSpecChanged) { // another client has dropped it, or has migrated its source
			err = nil
		}
	case 5:
		_, err = w.boards[name].Submit(ctx, board.Submission{Member: fmt.Sprint("other", rng.IntN(20)), Score: board.Ints(rng.Int64N(50))})
	}
	return err
}

// check returns an error unless the transactions are as if they had happened one after the other, which it finds out within a time, and all is sound.
func (w *linearWorld) check(within time.Duration) error {
	if w.err != nil {
		return w.err
	}
	if r := porcupine.CheckOperationsTimeout(linearModel, w.history, within); r != porcupine.Ok {
		return fmt.Errorf("%d transactions: %s", len(w.history), r)
	}
	for _, name := range []string{"sum", "best"} {
		if n, err := w.boards[name].Rebuild(context.Background()); err != nil || n > 0 {
			return fmt.Errorf("%s: %d groups did not have the scores of their members, %w", name, n, err)
		}
	}
	if w.mem == nil {
		return nil
	}
	if _, err := w.bs.CloseDue(context.Background()); err != nil {
		return err
	}
	rep, err := w.bs.Check(context.Background(), nil)
	if err == nil && len(rep.Problems) > 0 {
		err = fmt.Errorf("check: %v", rep.Problems)
	}
	return err
}

// TestTxLinear: transactions over boards, guilds, a set and private keys, which 64 goroutines make in random order, are as if they happened one after the other, each once and as a whole or not at all,
// while boards split and are migrated, and periods close and begin. None waits for ever, and none is refused because it has run too often.
func TestTxLinear(t *testing.T) {
	buckets.SetFull(3)
	defer buckets.SetFull(0)
	for seed := range uint64(matrix.Pick(6, 100)) {
		w := newLinearWorld(t, seed%2 == 0)
		w.run(seed, 64, 40)
		require.NoError(t, w.check(2*time.Minute), "seed %d", seed)
		t.Logf("%d transactions, %d runs, of one at most %d", len(w.history), w.runs.Load(), w.most.Load())
	}
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/zset"
)

// linearClock is the engine's clock. A client's "advance" moves it. It stands still during calls on private keys, because a transaction reads the
// time when it has locked its sets, and locks the private keys later.
type linearClock struct {
	ticks atomic.Int64
	still sync.RWMutex
}

// linearStart is when ticks were 0.
const linearStart = 1e12

func newLinearClock() *linearClock {
	c := &linearClock{}
	c.ticks.Store(1)
	return c
}

func (c *linearClock) now() time.Time { return time.UnixMilli(linearStart + c.ticks.Load()) }

func (c *linearClock) advance() {
	c.still.Lock()
	defer c.still.Unlock()
	c.ticks.Add(1)
}

// tick converts a time to the model's clock; the zero time is 0.
func tick(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli() - linearStart
}

// lateDeadline is a context whose deadline starts to run at the first call of Done.
type lateDeadline struct {
	context.Context
	begin func()
}

func newLateDeadline(d time.Duration) lateDeadline {
	ctx, cancel := context.WithCancel(context.Background())
	return lateDeadline{ctx, sync.OnceFunc(func() { time.AfterFunc(d, cancel) })}
}

func (p lateDeadline) Done() <-chan struct{} {
	p.begin()
	return p.Context.Done()
}

// linearRefusals are the answers that stand for errors.
var linearRefusals = []string{"no set", "conflict", "too late"}

// do runs an operation on an engine, and returns its answer as the model shows it.
func (op linearOp) do(e *Engine, clock *linearClock) (answer string, err error) {
	if slices.Contains([]string{"both", "move", "swap"}, op.kind) {
		clock.still.RLock()
		defer clock.still.RUnlock()
	}
	if op.ints && op.kind == "range" {
		return op.byHand(e)
	}
	switch op.kind {
	case "advance":
		clock.advance()
	case "exists", "expiry", "drop", "drop both", "rename", "rename if absent", "expire", "persist":
		answer, err = op.manage(e)
	case "union", "diff", "union store", "diff store", "range store", "copy":
		answer, err = op.operate(e)
	case "wait":
		answer, err = op.wait(e)
	case "expect":
		answer, err = op.expect(e)
	default:
		answer, err = op.transact(e)
	}
	switch {
	case errors.Is(err, ErrNoSet):
		return "no set", nil
	case errors.Is(err, ErrConflict):
		return "conflict", nil
	}
	return answer, err
}

// manage is do for the calls on keys.
func (op linearOp) manage(e *Engine) (answer string, err error) {
	ctx := context.Background()
	key, other := linearKeys[op.set], linearKeys[1-op.set]
	switch op.kind {
	case "exists":
		n, err := e.Exists(ctx, linearKeys...)
		return fmt.Sprint(n), err
	case "expiry":
		at, exists, err := e.Expiry(key)
		return fmt.Sprint(tick(at), exists), err
	case "drop":
		n, err := e.Delete(ctx, key)
		return fmt.Sprint(n), err
	case "drop both":
		n, err := e.Delete(ctx, linearKeys...)
		return fmt.Sprint(n), err
	case "rename":
		return "", e.Rename(ctx, key, other)
	case "rename if absent":
		done, err := e.RenameIfAbsent(ctx, key, other)
		return fmt.Sprint(done), err
	case "expire":
		ok, err := e.ExpireIn(ctx, key, time.Duration(op.n)*time.Millisecond)
		return fmt.Sprint(ok), err
	}
	had, err := e.Persist(ctx, key)
	return fmt.Sprint(had), err
}

// operate is do for the set operations.
func (op linearOp) operate(e *Engine) (answer string, err error) {
	ctx, key, other := context.Background(), linearKeys[op.set], linearKeys[1-op.set]
	highest := zset.Combine[float64]{Aggregate: zset.Max}
	var n int
	var z *zset.Set
	switch op.kind {
	case "union":
		z, err = e.Union(ctx, highest, key, other)
	case "diff":
		z, err = e.Diff(ctx, key, other)
	case "union store":
		n, err = e.UnionStore(ctx, key, highest, key, other)
	case "diff store":
		n, err = e.DiffStore(ctx, key, key, other)
	case "range store":
		n, err = e.RangeStore(ctx, other, key, func(*zset.View) (lo, hi int) { return 0, op.n })
	case "copy":
		n, err = e.Copy(ctx, key, other)
	}
	if err != nil || z == nil {
		return fmt.Sprint(n), err
	}
	return linearText(z.View(), linearSize), nil
}

// wait pops from the first set with members, and waits for a limited time if there is none.
func (op linearOp) wait(e *Engine) (answer string, err error) {
	ctx := newLateDeadline(time.Duration(op.n) * 50 * time.Microsecond)
	key, entry, err := e.PopMinWait(ctx, linearKeys[op.set], linearKeys[1-op.set])
	if errors.Is(err, context.Canceled) {
		return "too late", nil
	}
	return fmt.Sprintf("%s %s=%d ", key, entry.Member, int(entry.Score)), err
}

// expect reads in one transaction and writes in another.
func (op linearOp) expect(e *Engine) (answer string, err error) {
	keys, seq := linearKeys[op.set:op.set+1], uint64(0)
	err = e.View(context.Background(), func(tx *Tx) error {
		s, err := op.open(tx, keys[0])
		if err == nil {
			answer, seq = s.text(linearSize), must(anyHandle(tx, keys[0])).lastSeq()
		}
		return err
	}, keys...)
	if runtime.Gosched(); err != nil {
		return "", err
	}
	return answer, e.Update(context.Background(), func(tx *Tx) error {
		s, err := op.open(tx, keys[0])
		if err == nil {
			err = must(anyHandle(tx, keys[0])).floats.Expect(seq)
		}
		if err == nil {
			_, err = s.Add(op.name(), float64(op.n))
		}
		return err
	}, keys...)
}

// transact is do for operations that are one Update or View.
func (op linearOp) transact(e *Engine) (answer string, err error) {
	run := e.Update
	if op.reads() {
		run = e.View
	}
	keys := linearKeys[op.set : op.set+1]
	if slices.Contains([]string{"both", "move", "swap", "copy inside"}, op.kind) {
		keys = linearKeys
	} else if op.reads() && op.brief {
		tx, err := e.m.beginViewOf(context.Background(), keys[0], true)
		if err != nil {
			return "", err
		}
		defer e.m.endView(tx)
		return op.inside(tx)
	}
	err = run(context.Background(), func(tx *Tx) (err error) {
		answer, err = op.inside(tx)
		return err
	}, keys...)
	return answer, err
}

// inside runs an operation in its transaction.
func (op linearOp) inside(tx *Tx) (string, error) {
	s, err := op.open(tx, linearKeys[op.set])
	if err != nil {
		return "", err
	}
	runtime.Gosched()
	score, had := s.Score(op.name())
	switch op.kind {
	case "score":
		if !had {
			score = -1
		}
		return fmt.Sprint(int(score), had), nil
	case "rank":
		rank, ok := s.Rank(op.name())
		if !ok {
			rank = -1
		}
		return fmt.Sprint(rank), nil
	case "range":
		return s.text(op.n), nil
	case "count":
		return fmt.Sprint(s.atLeast(op.n)), nil
	case "both":
		return op.both(tx)
	case "copy inside":
		return "", tx.Copy(linearKeys[op.set], linearKeys[1-op.set])
	case "move", "swap":
		return "", op.cross(tx, s, score, had)
	case "pop max":
		popped, err := s.PopMax(1)
		return linearEntries(popped), err
	}
	return "", op.write(s, score, had)
}

// write changes one member.
func (op linearOp) write(s linearSet, score float64, had bool) (err error) {
	switch op.kind {
	case "remove":
		_, err = s.Remove(op.name())
	case "incr":
		_, err = s.IncrBy(op.name(), float64(op.n))
	case "expect score":
		if err = s.ExpectScore(op.name(), float64(op.n)); err == nil {
			_, err = s.Add(op.name(), float64(op.n+1))
		}
	case "expect absent":
		if err = s.ExpectAbsent(op.name()); err == nil {
			_, err = s.Add(op.name(), float64(op.n))
		}
	default:
		if !had || op.kind == "add" || op.kind == "gt" && float64(op.n) > score {
			_, err = s.Add(op.name(), float64(op.n))
		}
	}
	return err
}

// cross is move and swap, which change both sets and the private key.
func (op linearOp) cross(tx *Tx, s linearSet, score float64, had bool) error {
	if op.kind == "move" && !had {
		return nil
	}
	t, err := op.open(tx, linearKeys[1-op.set])
	if err != nil {
		return err
	}
	score2, had2 := t.Score(op.name())
	if err := put(t, op.name(), score, had); err != nil {
		return err
	}
	if err := put(s, op.name(), score2, had2 && op.kind == "swap"); err != nil {
		return err
	}
	moves, err := linearMoves(tx)
	if err != nil {
		return err
	}
	return tx.Put("moves", fmt.Append(nil, moves+1))
}

func put(s linearSet, member []byte, score float64, present bool) (err error) {
	if present {
		_, err = s.Add(member, score)
	} else {
		_, err = s.Remove(member)
	}
	return err
}

func linearMoves(tx *Tx) (n int, err error) {
	v, ok, err := tx.Get("moves")
	if ok {
		_, err = fmt.Sscan(string(v), &n)
	}
	return n, err
}

func (op linearOp) both(tx *Tx) (text string, err error) {
	for _, key := range linearKeys {
		s, err := op.open(tx, key)
		if err != nil {
			return "", err
		}
		at, _ := must(anyHandle(tx, key)).expiry()
		text += fmt.Sprint(s.text(linearSize), tick(at), "|")
	}
	moves, err := linearMoves(tx)
	return fmt.Sprint(text, moves), err
}

func linearText(v *zset.View, n int) string { return linearEntries(v.Append(nil, 0, n)) }

func linearEntries(entries []zset.Entry) (text string) {
	for _, e := range entries {
		text += fmt.Sprintf("%s=%d ", e.Member, int(e.Score))
	}
	return text
}

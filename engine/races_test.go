package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/zset"
)

// TestTimeWhileLoading: a transaction waits until a set is loaded, and another of its sets expires meanwhile. The transaction must not see the
// expired set.
func TestTimeWhileLoading(t *testing.T) {
	require.NoError(t, timeWhileLoading())
}

func timeWhileLoading() error {
	for _, write := range []bool{false, true} {
		if err := vanishWhileLoading(write); err != nil {
			return fmt.Errorf("write=%v: %w", write, err)
		}
	}
	return nil
}

// vanishWhileLoading lets one set of a transaction expire while another is read from the disk.
func vanishWhileLoading(write bool) error {
	ctx := context.Background()
	var now atomic.Int64
	now.Store(1e12)
	mem, g := memfs.New(), &gate{}
	o := Options{FS: errorfs.Wrap(mem, g), SnapshotBytes: -1, lazy: true, Clock: func() time.Time { return time.UnixMilli(now.Load()) }}
	e, err := openedAgain(o, func(e *Engine) (err error) {
		for i := range 300 { // they do not fit in the block that Open reads
			err = errors.Join(err, addLong(e, "cold", 1000+i))
		}
		return errors.Join(err, setX(e, "a", 1), e.Snapshot())
	})
	if err != nil {
		return err
	}
	_, err = e.ExpireIn(ctx, "a", time.Second)
	run, shut, done := e.View, make(chan struct{}), make(chan error)
	if write {
		run = e.Update
	}
	nothing := func(tx *Tx) error {
		s, err := tx.Set("a")
		if err == nil && s.Len() > 0 {
			err = errors.New("a set whose time is up")
		}
		return err
	}
	g.shut.Store(&shut)
	go func() { done <- run(ctx, nothing, "a", "cold") }()
	for g.waiting.Load() == 0 {
		runtime.Gosched()
	}
	now.Add(1000)
	err = errors.Join(err, e.View(ctx, nothing, "a"))
	g.shut.Store(nil)
	close(shut)
	return errors.Join(err, <-done, e.Close())
}

// openedAgain fills an engine, and opens it again with everything in Pebble's tables.
func openedAgain(o Options, fill func(e *Engine) error) (*Engine, error) {
	for range 2 {
		e, err := Open("db", o)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(fill(e), e.Close()); err != nil {
			return nil, err
		}
		fill = func(*Engine) error { return nil }
	}
	return Open("db", o)
}

// TestFeedFromWithinStaging: a replica that copies the engine and starts its feed while a set is being staged has the whole set in the end.
func TestFeedFromWithinStaging(t *testing.T) {
	require.NoError(t, feedFromWithinStaging())
}

func feedFromWithinStaging() error {
	for after := range 4 {
		if err := followStaged(after); err != nil {
			return fmt.Errorf("after %d flushes: %w", after, err)
		}
	}
	return nil
}

// followStaged makes a replica that copies the engine after a number of flushes, while a set is being staged.
func followStaged(after int) error {
	g, r, flushes := &gateSyncs{}, newReplica(), 0
	e, err := Open("db", Options{FS: errorfs.Wrap(memfs.New(), g), SnapshotBytes: -1})
	if err != nil {
		return err
	}
	e.ops.stageBytes = testStage
	err = errors.Join(setX(e, "a", 1), setX(e, "b", 1), r.look(e))
	b, copied := must(zset.NewBuilder(zset.Options{})), error(nil)
	for i := range 3000 {
		err = errors.Join(err, b.Add(fmt.Append(nil, "member", i), float64(i)))
	}
	look := func() {
		if flushes++; flushes == after {
			copied = r.look(e)
		}
	}
	g.f.Store(&look)
	err = errors.Join(err, install(e, context.Background(), "a", b.Set()))
	g.f.Store(nil)
	if err = errors.Join(err, copied); err != nil || flushes < 4 {
		return fmt.Errorf("%d flushes, %w", flushes, err)
	}
	for c, err := range e.Feed(context.Background(), r.at) {
		if err = errors.Join(err, r.apply(c)); err != nil {
			return err
		}
		if c.Seq == e.m.lastSeq() {
			break
		}
	}
	state, err := stateOf(e)
	if err == nil && setsText(state) != r.text(0) {
		err = fmt.Errorf("the replica has %d of 3000 members", len(r.w.sets[e.keys.Find("a").Id()].All()))
	}
	return errors.Join(err, e.Close())
}

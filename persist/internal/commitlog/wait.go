package commitlog

import (
	"context"
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// Wait returns when the commit has what the level promises. At Sync it returns when the commit is durable. At Interval and None it
// returns at once, but blocks while more than 8 MiB are queued; at Interval also while a commit older than Options.MaxLag is not
// durable. Wait returns nil for a durable commit, even after a failure or Close. Errors: ErrPersistence, ErrClosed, and ErrStalled
// while the disk does not answer, the cause of ctx if that ends before. A commit that fails may or may not be found later.
func (l *Log) Wait(ctx context.Context, seq uint64) error {
	for {
		if !l.wait && seq <= l.Last.Load() && !l.held() {
			if l.durable.Load() >= seq {
				return nil
			}
			return l.DB.Failure()
		}
		if l.wait && l.durable.Load() >= seq {
			return nil
		}
		t, err := l.turnOf(seq)
		if err != nil || t == nil {
			return err
		}
		began := time.Now()
		if done := ctx.Done(); done == nil {
			<-t.done
		} else {
			select {
			case <-t.done:
			case <-done:
				return context.Cause(ctx)
			}
		}
		l.waits.Add(1)
		l.waited.Add(int64(time.Since(began)))
	}
}

// turnOf returns the turn that writes commit seq, or nil if the commit is durable already. Callers call it again after the turn, to
// see whether the commit is durable or has failed.
func (l *Log) turnOf(seq uint64) (*turn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.durable.Load() >= seq:
		return nil, nil
	case l.DB.Failure() != nil:
		return nil, l.DB.Failure()
	case seq > l.Last.Load() && l.DB.IsClosing():
		return nil, errs.ErrClosed
	case seq > l.Last.Load():
		return nil, fmt.Errorf("persist: wait for commit %d, the last one is %d", seq, l.Last.Load())
	case l.DB.Stalled() != nil:
		return nil, l.DB.Stalled()
	case l.inflight != nil && seq <= l.taken:
		return l.inflight, nil
	}
	return l.turn, nil
}

// Flush is Barrier without a deadline.
func (l *Log) Flush() error { return l.Barrier(context.Background()) }

// Barrier returns when everything appended so far is durable, at any level. If ctx ends first, Barrier returns the cause of ctx and
// the commits stay queued. Errors: ErrStalled, ErrPersistence, ErrClosed.
func (l *Log) Barrier(ctx context.Context) error {
	target := l.Last.Load()
	for first := true; ; first = false {
		t, err := l.flushTurn(target, first)
		if err != nil || t == nil {
			return err
		}
		l.wakeCommitter()
		select {
		case <-t.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// flushTurn requests a flush up to commit target and returns the turn that will make it; nil: target is durable. On the first call of
// a Barrier it also reports that the store is closing.
func (l *Log) flushTurn(target uint64, first bool) (*turn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done := l.durable.Load() >= target
	if done && !(first && l.DB.IsClosing()) {
		return nil, nil
	}
	if err := l.DB.Refused(); err != nil {
		return nil, err
	}
	if err := l.DB.Stalled(); err != nil {
		return nil, err
	}
	if l.inflight != nil && l.takenFlush && target <= l.taken {
		return l.inflight, nil
	}
	l.flushTo = max(l.flushTo, target)
	return l.turn, nil
}

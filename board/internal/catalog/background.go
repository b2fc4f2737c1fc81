package catalog

import (
	"context"
	"time"
)

// Background is a goroutine of the boards.
type Background struct {
	stop context.CancelFunc
	done chan struct{}
}

// Go starts a goroutine. run returns when its context ends.
func Go(run func(ctx context.Context)) *Background {
	ctx, stop := context.WithCancel(context.Background())
	b := &Background{stop, make(chan struct{})}
	go func() {
		defer close(b.done)
		run(ctx)
	}()
	return b
}

// repeatDelay is the longest time between two calls of Repeat, so that work that has failed, or that a migration has put off, is tried again.
const repeatDelay = time.Second

// Repeat calls do whenever due has an element, and once a second, until ctx ends or the engine is closed.
func Repeat(ctx context.Context, c *Catalog, due <-chan struct{}, do func()) {
	timer := time.NewTimer(repeatDelay)
	defer timer.Stop()
	for {
		timer.Reset(repeatDelay)
		select {
		case <-ctx.Done():
			return
		case <-c.Engine.Done():
			return
		case <-due:
		case <-timer.C:
		}
		do()
	}
}

// Rest waits as long as the work since begin has taken, so that half of a processor is left to others. Error: that of ctx.
func Rest(ctx context.Context, begin time.Time) error {
	select {
	case <-time.After(time.Since(begin)):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Stop ends the context of the goroutine and waits for its end.
func (b *Background) Stop() {
	b.stop()
	<-b.done
}

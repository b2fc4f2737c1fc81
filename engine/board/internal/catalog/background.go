package catalog

import "context"

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

// Stop ends the context of the goroutine and waits for its end.
func (b *Background) Stop() {
	b.stop()
	<-b.done
}

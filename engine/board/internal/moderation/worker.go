package moderation

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/catalog"
	"github.com/zrankdb/zrank/engine/board/internal/errs"
	"github.com/zrankdb/zrank/engine/board/internal/places"
)

// Worker is the goroutine that indexes closed periods, and resumes jobs.
type Worker struct {
	c    *catalog.Catalog
	stop context.CancelFunc
	done chan struct{}
}

// pause is how long the worker waits after an error.
const pause = time.Second

// Start starts the goroutine.
func Start(c *catalog.Catalog) *Worker {
	ctx, stop := context.WithCancel(context.Background())
	w := &Worker{c, stop, make(chan struct{})}
	c.WakeClosed()
	go w.run(ctx)
	return w
}

// Stop ends the goroutine and waits for its end.
func (w *Worker) Stop() {
	w.stop()
	<-w.done
}

func (w *Worker) run(ctx context.Context) {
	defer close(w.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.c.Engine.Done():
			return
		case <-w.c.Closed:
		}
		if w.work(ctx) {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-w.c.Engine.Done():
			return
		case <-time.After(pause):
			w.c.WakeClosed()
		}
	}
}

// work indexes what is due and resumes the jobs, and reports whether nothing is left.
func (w *Worker) work(ctx context.Context) (done bool) {
	done = true
	for _, b := range w.c.All() {
		err := places.All(ctx, b, b.State())
		if err == nil {
			err = Resume(ctx, b)
		}
		if err == nil {
			continue
		}
		if done = false; err != errs.ErrAgain && ctx.Err() == nil && w.c.CheckOpen() == nil {
			w.c.Log.Error("board: closed periods cannot be indexed or changed", "board", b.State().Name, "err", err)
		}
	}
	return done
}

package settlement

import (
	"context"
	"time"

	"github.com/zrankdb/zrank/engine/board/internal/catalog"
)

// maxSleep is the longest sleep of the worker, so that it notices when an award is to be tried again, and its delay after an error.
const maxSleep = time.Second

// Worker is the goroutine that settles closed periods and delivers their awards.
type Worker struct {
	c    *catalog.Catalog
	stop context.CancelFunc
	done chan struct{}
}

// Start starts the goroutine.
func Start(c *catalog.Catalog) *Worker {
	ctx, stop := context.WithCancel(context.Background())
	w := &Worker{c, stop, make(chan struct{})}
	c.WakeAwards()
	go w.run(ctx)
	return w
}

// Stop ends the goroutine and waits for its end. The context of a Grant that is running is cancelled.
func (w *Worker) Stop() {
	w.stop()
	<-w.done
}

func (w *Worker) run(ctx context.Context) {
	defer close(w.done)
	timer := time.NewTimer(maxSleep)
	defer timer.Stop()
	for {
		timer.Reset(maxSleep)
		select {
		case <-ctx.Done():
			return
		case <-w.c.Engine.Done():
			return
		case <-w.c.Awards:
		case <-timer.C:
		}
		if _, err := SettleDue(ctx, w.c); err != nil && ctx.Err() == nil {
			w.c.Log.Error("board: periods cannot be settled", "err", err)
		}
		if _, err := DeliverDue(ctx, w.c); err != nil && ctx.Err() == nil {
			w.c.Log.Error("board: awards cannot be delivered", "err", err)
		}
	}
}

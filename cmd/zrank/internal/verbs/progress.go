package verbs

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
)

// poll is the time between two looks at jobs.
const poll = 50 * time.Millisecond

// watch shows the jobs of boards on a terminal, and nothing elsewhere, until stop is called.
func watch(ctx context.Context, w io.Writer, boards []board.Board) (stop func()) {
	if !console.IsTerminal(w) {
		return func() {}
	}
	p, end, done := console.NewProgress(w), make(chan struct{}), make(chan struct{})
	go p.Render()
	go func() {
		defer close(done)
		bar := &bar{p: p}
		for ticker := time.NewTicker(poll); ; {
			select {
			case <-end:
				ticker.Stop()
				return
			case <-ticker.C:
				bar.update(ctx, boards)
			}
		}
	}()
	return func() {
		close(end)
		<-done
		console.StopProgress(p)
	}
}

// bar is the progress bar of the first job that is in progress.
type bar struct {
	p       progress.Writer
	tracker *progress.Tracker
	entry   uint64
}

// update moves the bar. An error ends nothing: the change itself returns it.
func (b *bar) update(ctx context.Context, boards []board.Board) {
	for _, of := range boards {
		jobs, err := of.Jobs(ctx)
		if err != nil || len(jobs) == 0 {
			continue
		}
		j := jobs[0]
		if b.tracker == nil || b.entry != j.Entry {
			if b.tracker != nil {
				b.tracker.MarkAsDone()
			}
			b.entry, b.tracker = j.Entry, &progress.Tracker{Message: fmt.Sprintf("%s, entry %d", j.Kind, j.Entry), Total: int64(max(j.Total, 1))}
			b.p.AppendTracker(b.tracker)
		}
		b.tracker.SetValue(int64(j.Done))
		return
	}
}

package redisfile

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
)

// bar shows on a terminal how far a file has been read or written, and nothing elsewhere.
type bar struct {
	p       progress.Writer // nil: not a terminal
	tracker *progress.Tracker
}

// newBar returns a bar of a total, in these units; 0: unknown.
func newBar(w io.Writer, message string, total int64, units progress.Units) *bar {
	b := &bar{}
	if console.IsTerminal(w) {
		b.p = console.NewProgress(w)
		b.tracker = &progress.Tracker{Message: message, Total: total, Units: units}
		b.p.AppendTracker(b.tracker)
		go b.p.Render()
	}
	return b
}

// move shows how much is done, and of what.
func (b *bar) move(message string, done, total int64) {
	if b.tracker != nil {
		b.tracker.UpdateMessage(message)
		b.tracker.UpdateTotal(total)
		b.tracker.SetValue(done)
	}
}

// stop removes the bar.
func (b *bar) stop() { console.StopProgress(b.p) }

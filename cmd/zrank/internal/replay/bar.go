package replay

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/internal/numbers"
)

// bar shows the progress of a replay on a terminal, and nothing elsewhere.
type bar struct {
	w       io.Writer
	p       progress.Writer // nil: not a terminal
	tracker *progress.Tracker
	in      *events.Input
	name    string
}

func newBar(w io.Writer) *bar {
	b := &bar{w: w}
	if console.IsTerminal(w) {
		b.p = console.NewProgress(w)
		go b.p.Render()
	}
	return b
}

// begin starts the bar of an input.
func (b *bar) begin(path string, in *events.Input) {
	if b.p == nil {
		return
	}
	b.in, b.name = in, filepath.Base(path)
	b.tracker = &progress.Tracker{Message: b.name, Total: in.Size(), Units: progress.UnitsBytes}
	b.p.AppendTracker(b.tracker)
}

// events moves the bar: n events have been applied so far, and done says whether the input has ended.
func (b *bar) events(n int64, done bool) {
	if b.tracker == nil {
		return
	}
	b.tracker.UpdateMessage(fmt.Sprintf("%s: %s events", b.name, numbers.Count(n)))
	b.tracker.SetValue(b.in.BytesRead())
	if done {
		b.tracker.MarkAsDone()
	}
}

// say writes a line without disturbing the bar.
func (b *bar) say(line string) {
	if b.p == nil {
		fmt.Fprintln(b.w, line)
		return
	}
	b.p.Log("%s", line)
}

// stop removes the bar. Further calls do nothing.
func (b *bar) stop() { console.StopProgress(b.p) }

package main

import (
	"context"
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/numbers"
)

// readBar shows on a terminal how much of a directory has been read, and nothing elsewhere.
type readBar struct {
	p       progress.Writer // nil: not a terminal
	tracker *progress.Tracker
	dir     string
	pass    int // of what reads more than once: what it copies, and the copy
	bytes   int64
}

func newReadBar(w io.Writer, dir string) *readBar {
	b := &readBar{dir: dir}
	if console.IsTerminal(w) {
		b.p = console.NewProgress(w)
		b.tracker = &progress.Tracker{Message: dir}
		b.p.AppendTracker(b.tracker)
		go b.p.Render()
	}
	return b
}

// context returns a context with which a copy moves the bar.
func (b *readBar) context(ctx context.Context) context.Context {
	return engine.WithProgress(ctx, b.move)
}

// move shows how much has been read.
func (b *readBar) move(rep engine.Report) {
	if rep.Bytes < b.bytes {
		b.pass++
	}
	b.bytes = rep.Bytes
	if b.tracker != nil {
		b.tracker.UpdateMessage(b.message(rep))
		b.tracker.UpdateTotal(int64(rep.PagesOf))
		b.tracker.SetValue(int64(rep.Pages))
	}
}

// message says what is being read, and how much of it has been.
func (b *readBar) message(rep engine.Report) string {
	what := b.dir
	if b.pass > 0 {
		what = fmt.Sprintf("%s, reading %d", b.dir, b.pass+1)
	}
	return fmt.Sprintf("%s: %s, %s", what, numbers.Plural(rep.Groups, "group"), numbers.Plural(rep.Sets, "set"))
}

func (b *readBar) stop() { console.StopProgress(b.p) }

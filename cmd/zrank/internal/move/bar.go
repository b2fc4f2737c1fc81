package move

import (
	"io"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/board/move"
	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
)

// bar shows on a terminal how far the move of a board is, and nothing elsewhere.
type bar struct {
	p       progress.Writer // nil: not a terminal
	board   string
	tracker *progress.Tracker
	phase   string
}

func newBar(w io.Writer, board string) *bar {
	b := &bar{board: show.Printable(board)}
	if console.IsTerminal(w) {
		b.p = console.NewProgress(w)
		go b.p.Render()
	}
	return b
}

// move shows how far the move is.
func (b *bar) move(p move.Progress) {
	if b.p == nil {
		return
	}
	if b.tracker == nil || p.Phase != b.phase {
		if b.tracker != nil {
			b.tracker.MarkAsDone()
		}
		b.phase, b.tracker = p.Phase, &progress.Tracker{Message: b.board + ": " + p.Phase}
		b.p.AppendTracker(b.tracker)
	}
	b.tracker.UpdateTotal(int64(p.Total))
	b.tracker.SetValue(int64(p.Done))
}

func (b *bar) stop() {
	if b.tracker != nil {
		b.tracker.MarkAsDone()
	}
	console.StopProgress(b.p)
}

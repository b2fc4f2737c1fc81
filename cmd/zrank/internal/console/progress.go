package console

import (
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// IsTerminal reports whether a reader or writer is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// NewProgress returns a writer of one progress bar at a time in the house style.
func NewProgress(w io.Writer) progress.Writer {
	p := progress.NewWriter()
	p.SetOutputWriter(w)
	p.SetNumTrackersExpected(1)
	p.SetUpdateFrequency(100 * time.Millisecond)
	p.SetTrackerLength(24)
	p.SetMessageLength(52)
	p.SetStyle(progress.StyleBlocks)
	p.Style().Visibility.TrackerOverall = false
	p.Style().Visibility.Value = false
	return p
}

// StopProgress draws the bars a last time and waits for that. It does nothing if p is nil.
func StopProgress(p progress.Writer) {
	if p == nil {
		return
	}
	p.Stop()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for p.IsRenderInProgress() {
		<-poll.C
	}
}

package main

import (
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// isTerminal reports whether a reader or writer is one.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// newProgress returns a writer of one progress bar at a time in the house style.
func newProgress(w io.Writer) progress.Writer {
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

// stopProgress draws the bars a last time and waits until that is done.
func stopProgress(p progress.Writer) {
	if p == nil {
		return
	}
	p.Stop()
	for p.IsRenderInProgress() {
		time.Sleep(10 * time.Millisecond)
	}
}

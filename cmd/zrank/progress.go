package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"

	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
)

// bar shows how far a replay is, on a terminal; elsewhere it is silent.
type bar struct {
	w       io.Writer
	p       progress.Writer // nil: not a terminal
	tracker *progress.Tracker
	in      *events.Input
	name    string
}

// isTerminal reports whether a reader or writer is one.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func newBar(w io.Writer) *bar {
	b := &bar{w: w}
	if isTerminal(w) {
		b.p = newProgress(w)
		go b.p.Render()
	}
	return b
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

// begin starts the bar of an input.
func (b *bar) begin(path string, in *events.Input) {
	if b.p == nil {
		return
	}
	b.in, b.name = in, filepath.Base(path)
	b.tracker = &progress.Tracker{Message: b.name, Total: in.Size(), Units: progress.UnitsBytes}
	b.p.AppendTracker(b.tracker)
}

// events moves the bar; n events have been applied in all, and the input is done or not.
func (b *bar) events(n int64, done bool) {
	if b.tracker == nil {
		return
	}
	b.tracker.UpdateMessage(fmt.Sprintf("%s: %s events", b.name, count(n)))
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

// stop takes the bar away. It may be called again.
func (b *bar) stop() { stopProgress(b.p) }

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

// count writes a number with thousands apart.
func count(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// perSecond returns how many of n fall on a second.
func perSecond(n int64, took time.Duration) int64 {
	return int64(float64(n) / max(took.Seconds(), 1e-9))
}

// size writes a number of bytes for people.
func size(n int64) string { return progress.FormatBytes(n) }

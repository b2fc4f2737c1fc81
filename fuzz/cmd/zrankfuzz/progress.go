package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
)

// How often progress is shown: a terminal shows one line that changes, a file gets a new line each time.
const (
	everyTerminal = time.Second
	everyFile     = 15 * time.Second
)

// progress shows the progress of a campaign.
type progress struct {
	errs     io.Writer
	terminal bool
	c        *campaigns.Campaign
	began    time.Time
	length   time.Duration
	end      chan struct{}
	shown    sync.WaitGroup
}

func newProgress(errs io.Writer, c *campaigns.Campaign, length time.Duration) *progress {
	p := &progress{errs: errs, c: c, began: time.Now(), length: length, end: make(chan struct{})}
	every := everyFile
	if f, ok := errs.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.terminal, every = true, everyTerminal
	}
	p.shown.Go(func() { p.show(every) })
	return p
}

// show writes a line at each tick.
func (p *progress) show(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-p.end:
			return
		case <-t.C:
			took := time.Since(p.began)
			line := fmt.Sprintf("%v of %v: %s", took.Round(time.Second), p.length, summary(p.c.Rows(), took))
			if took > p.length || p.failed() {
				line += "; finishing and shrinking"
			}
			if p.terminal {
				fmt.Fprintf(p.errs, "\r\x1b[K%s", line)
			} else {
				fmt.Fprintln(p.errs, line)
			}
		}
	}
}

// failed reports whether a configuration has failed.
func (p *progress) failed() bool {
	for _, r := range p.c.Rows() {
		if r.Failed {
			return true
		}
	}
	return false
}

// stop ends the display and returns how long the campaign took.
func (p *progress) stop() time.Duration {
	close(p.end)
	p.shown.Wait()
	if p.terminal {
		fmt.Fprint(p.errs, "\r\x1b[K")
	}
	return time.Since(p.began)
}

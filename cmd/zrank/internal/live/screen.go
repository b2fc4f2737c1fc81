package live

import (
	"fmt"
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"

	"github.com/zrankdb/zrank/cmd/zrank/internal/console"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/server/resp/replica"
)

// lineEvery is how often a line is written where there is no terminal.
const lineEvery = 10 * time.Second

// screen shows how far a copy is: on a terminal one line that changes, elsewhere a line when its phase changes, and now and then.
type screen struct {
	w       io.Writer
	source  string
	p       progress.Writer // nil: no terminal
	tracker *progress.Tracker
	phase   replica.Phase
	told    time.Time
}

func newScreen(w io.Writer, source string) *screen {
	s := &screen{w: w, source: source}
	if console.IsTerminal(w) {
		s.p = console.NewProgress(w)
		s.tracker = &progress.Tracker{Message: source}
		s.p.AppendTracker(s.tracker)
		go s.p.Render()
	}
	return s
}

// show shows a status.
func (s *screen) show(st replica.Status) {
	text := fmt.Sprintf("%s: %s, %s keys", s.source, st.Phase, numbers.Count(st.Keys))
	if st.Method == replica.Scan {
		text += fmt.Sprintf(", %s wait", numbers.Count(st.Pending))
	} else if st.Phase == replica.Following {
		text += fmt.Sprintf(" and %s commands, %s behind", numbers.Count(st.Commands), console.Size(st.Lag()))
		if st.Behind > time.Second {
			text += fmt.Sprintf(" for %v", st.Behind.Round(time.Second))
		}
	}
	if st.Phase == replica.Following {
		text += "; Ctrl-C ends the copy"
	}
	now := time.Now()
	if st.Phase == replica.Connecting && st.Lost == 0 { // nothing has happened yet
		return
	}
	switch {
	case s.tracker != nil:
		s.tracker.UpdateMessage(text)
		s.tracker.SetValue(st.Keys + st.Commands)
	case st.Phase != s.phase || now.Sub(s.told) >= lineEvery:
		s.told = now
		fmt.Fprintln(s.w, text)
	}
	s.phase = st.Phase
}

// say shows what is done besides.
func (s *screen) say(what string) {
	if s.tracker != nil {
		s.tracker.UpdateMessage(s.source + ": " + what)
		return
	}
	fmt.Fprintf(s.w, "%s: %s\n", s.source, what)
}

func (s *screen) stop() { console.StopProgress(s.p) }

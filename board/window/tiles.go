package window

import (
	"time"

	"github.com/zrankdb/zrank/board/internal/calendar"
)

// A tiling is a cut without gaps.
type tiling interface {
	at(unix int64) run // unix is within the bounds
	parse(name string) (run, bool)
	like() string
	bounds() (lo, hi int64) // the start of the first run that can be named, and the end of the last
}

// tiles is the cut of a tiling. The run after another is the one at its end; the run before it, the one a second before its start.
type tiles struct {
	tiling
	lo, hi int64
}

func newTiles(t tiling) tiles {
	lo, hi := t.bounds()
	return tiles{t, lo, hi}
}

func (t tiles) at(unix int64) (run, bool) {
	if unix < t.lo || unix >= t.hi {
		return run{}, false
	}
	return t.tiling.at(unix), true
}

func (t tiles) after(unix int64) (run, bool) { return t.at(max(unix, t.lo)) }

func (t tiles) before(unix int64) (run, bool) { return t.at(min(unix, t.hi) - 1) }

func (t tiles) parse(name string) (run, bool) {
	r, ok := t.tiling.parse(name)
	return r, ok && t.lo <= r.from && r.from < t.hi
}

// firstOf returns the Unix time at which a year begins in UTC.
func firstOf(year int) int64 { return int64(calendar.On(year, time.January, 1)) }

// years is the number of years that names are written with: 0 to 9999.
const years = 10_000

// stride is the cut of the kind every.
type stride struct {
	anchor int64 // the start of one run, in Unix time
	every  int64 // the length of a run in seconds
}

func newStride(anchor, every int64) stride { return stride{anchor, every} }

func (s stride) at(unix int64) run {
	from := s.anchor + calendar.Floor(unix-s.anchor, s.every)
	return run{time.Unix(from, 0).UTC().Format(time.RFC3339), from, from + s.every}
}

func (s stride) parse(name string) (run, bool) {
	t, err := time.Parse(time.RFC3339, name)
	if err != nil {
		return run{}, false
	}
	r := s.at(t.Unix())
	return r, r.name == name
}

func (s stride) like() string { return s.at(exampleTime).name }

// bounds are the first starts in the years 0 and 10000.
func (s stride) bounds() (lo, hi int64) {
	first := func(year int) int64 { return s.at(firstOf(year) + s.every - 1).from }
	return first(0), first(years)
}

// exampleTime is 2026-11-20T15:00:00Z.
const exampleTime = 1795186800

// whole is the cut of the kinds all and rolling: one run.
type whole struct{}

func (whole) run() run { return run{string(All), firstOf(0), firstOf(years)} }

func (w whole) at(unix int64) (run, bool) {
	r := w.run()
	return r, r.from <= unix && unix < r.to
}

func (whole) after(int64) (run, bool) { return run{}, false }

func (whole) before(int64) (run, bool) { return run{}, false }

func (w whole) parse(name string) (run, bool) { return w.run(), name == w.like() }

func (whole) like() string { return string(All) }

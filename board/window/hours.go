package window

import "time"

// hours is the cut of the kind hour. It divides cells of two hours and more into parts.
//
//	          03:00 CEST = 02:00 CET
//	02:00 CEST           |           03:00 CET
//	    |----------------|----------------|
//	          02                02b
type hours struct{ cells }

const (
	hour     = int64(time.Hour / time.Second)
	maxParts = 26 // of one cell, one for each letter; the longest cell of any zone was one of 25 hours: Juneau, 1867-10-19T15
)

func (h hours) at(unix int64) run {
	cell := h.cells.at(unix)
	return part(cell, min((unix-cell.from)/hour, parts(cell)-1))
}

func (h hours) parse(name string) (run, bool) {
	var i int64
	if end := len(name) - 1; end >= 0 && 'b' <= name[end] && name[end] <= 'z' {
		name, i = name[:end], int64(name[end]-'a')
	}
	cell, ok := h.cells.parse(name)
	if !ok || i >= parts(cell) {
		return run{}, false
	}
	return part(cell, i), true
}

func (h hours) like() string {
	return h.cells.like() + " (or 2026-10-25T02b for an hour that clocks show again)"
}

// parts returns the number of periods in a cell.
func parts(cell run) int64 { return min(max((cell.to-cell.from)/hour, 1), maxParts) }

// part returns part i of a cell, from 0. The last part takes the rest of the cell.
func part(cell run, i int64) run {
	r := run{cell.name, cell.from + i*hour, cell.to}
	if i > 0 {
		r.name += string(rune('a' + i))
	}
	if i < parts(cell)-1 {
		r.to = r.from + hour
	}
	return r
}

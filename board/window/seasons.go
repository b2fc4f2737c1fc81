package window

import (
	"slices"
	"sort"
	"strings"
)

// seasons is the cut of the kinds seasons and event: a list in order of time, perhaps with gaps.
type seasons []run

// seasons returns the cut of the window's seasons.
func (w Window) seasons() seasons {
	list := make(seasons, len(w.Seasons))
	for i, s := range w.Seasons {
		list[i] = run{w.seasonLabel(s), s.Start.Unix(), s.End.Unix()}
	}
	return list
}

func (s seasons) at(unix int64) (run, bool) {
	r, ok := s.after(unix)
	return r, ok && r.from <= unix
}

func (s seasons) after(unix int64) (run, bool) {
	return s.index(sort.Search(len(s), func(i int) bool { return s[i].to > unix }))
}

func (s seasons) before(unix int64) (run, bool) {
	return s.index(sort.Search(len(s), func(i int) bool { return s[i].from >= unix }) - 1)
}

func (s seasons) parse(name string) (run, bool) {
	return s.index(slices.IndexFunc(s, func(r run) bool { return r.name == name }))
}

func (s seasons) like() string {
	names := make([]string, len(s))
	for i, r := range s {
		names[i] = r.name
	}
	return strings.Join(names, ", ")
}

func (s seasons) index(i int) (run, bool) {
	if i < 0 || i >= len(s) {
		return run{}, false
	}
	return s[i], true
}

package pages

import (
	"context"
	"strings"
)

const boardsPage = 50

// Overview is the page of all boards.
type Overview struct {
	Store  *StoreFigures // nil: the boards are not in an engine of this process
	Boards []BoardRow
	Total  int // boards that the reader may read
	Match  string
	Pager  Pager
	Chart  string // URL of its figures, "" for none
}

// StoreFigures is figures of the engine.
type StoreFigures struct {
	Commits     float64
	Sets        int
	Memory      int
	MemoryLimit int64
	Disk        int64
	Problem     string
}

// BoardRow is a board with its windows.
type BoardRow struct {
	Name    string
	Windows []LiveUsage
}

func (s *Site) overview(r Request) (any, error) {
	from, err := r.number("from")
	if err != nil {
		return nil, err
	}
	names, err := s.names(r)
	if err != nil {
		return nil, err
	}
	o := Overview{Total: len(names), Match: r.Query.Get("match")}
	if o.Match != "" {
		names = matching(names, o.Match)
	}
	part, first := cut(names, from, boardsPage)
	for _, name := range part {
		row, ok, err := s.boardRow(r.Context, name)
		if err != nil {
			return nil, err
		}
		if ok {
			o.Boards = append(o.Boards, row)
		}
	}
	o.Pager = pager("overview", first, len(part), len(names), boardsPage, "match", o.Match)
	if s.Engine != nil && r.sees("") == nil {
		o.Chart = "figures"
		o.Store, err = s.storeFigures()
	}
	return o, err
}

// matching returns the names that have a text in them, in either case.
func matching(names []string, text string) (some []string) {
	text = strings.ToLower(text)
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), text) {
			some = append(some, name)
		}
	}
	return some
}

// boardRow returns a board with its windows; ok is false if it has been dropped meanwhile.
func (s *Site) boardRow(ctx context.Context, name string) (row BoardRow, ok bool, err error) {
	b, err := s.Boards.Board(ctx, name)
	if err == nil {
		row.Name = name
		row.Windows, err = s.usages(ctx, b, windowsOf(b.Spec()))
	}
	if gone(err) {
		return row, false, nil
	}
	return row, err == nil, err
}

func (s *Site) storeFigures() (*StoreFigures, error) {
	st, err := s.Engine.Stats()
	if err != nil {
		return nil, err
	}
	f := &StoreFigures{Sets: st.Sets, Memory: st.Memory, MemoryLimit: s.Engine.Settings().MemoryLimit, Disk: st.Disk}
	if sample, ok := s.History.Latest(); ok {
		f.Commits = sample.Commits
	}
	if problems := s.problems(&st); len(problems) > 0 {
		f.Problem = problems[0]
	}
	return f, nil
}

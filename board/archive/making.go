package archive

import (
	"context"
	"errors"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// maker makes boards and kinds of groups of lines.
type maker struct {
	ctx  context.Context
	a    relocation.Archive
	o    Options
	r    *Report
	name string          // of the board or of the kind of groups, or of the last one
	kind bool            // it is a kind of groups
	skip bool            // it is left out
	made relocation.Made // nil: none has begun, or it is left out
	n    counts
}

// line does what a line says.
func (m *maker) line(text []byte) error {
	l, err := decode(text)
	if err != nil {
		return err
	}
	first := l.Board != nil || l.Groups != nil
	switch begun := m.hasBegun(); {
	case first && begun:
		return fmt.Errorf("another board, or kind of groups, begins before the end of %q", m.name)
	case !first && !begun:
		return errors.New("the line is before the first board")
	case first:
		return m.begin(&l)
	}
	if m.skip && l.Ended == nil {
		m.n.lines++
		return nil
	}
	m.n.count(&l)
	if l.Ended != nil {
		return m.end(&l)
	}
	return m.made.Add(&l)
}

// hasBegun reports whether a board or a kind of groups has begun, and has not ended.
func (m *maker) hasBegun() bool { return m.made != nil || m.skip }

// begin begins a board or a kind of groups.
func (m *maker) begin(l *relocation.Line) (err error) {
	m.n = counts{before: m.r.Entries, progress: m.o.Progress}
	m.n.count(l)
	if m.kind = l.Groups != nil; m.kind {
		m.name = *l.Groups
	} else {
		m.name = l.Board.Name
	}
	if l.Format != format {
		return fmt.Errorf("the form is number %d, and this version knows %d", l.Format, format)
	}
	if m.kind {
		m.made = m.a.MadeGroups(m.name)
		return nil
	}
	made, err := m.a.Made(m.ctx, *l.Board)
	if err == nil {
		m.made = made
	}
	if m.skip = errors.Is(err, board.ErrBoardExists) && m.o.SkipExisting; m.skip {
		return nil
	}
	return err
}

// end makes the board, or the kind of groups, one that everybody sees.
func (m *maker) end(l *relocation.Line) (err error) {
	if *l.Ended != m.name || l.Lines != m.n.lines {
		return fmt.Errorf("it is the end of %q with %d lines, and the file has %d lines of %q",
			*l.Ended, l.Lines, m.n.lines, m.name)
	}
	made := false
	if !m.skip {
		if made, err = m.made.Open(m.ctx); err != nil {
			return err
		}
		err = m.made.Close(m.ctx)
	}
	m.made, m.skip = nil, false
	names, skipped := &m.r.Boards, &m.r.Skipped
	if m.kind {
		names, skipped = &m.r.Kinds, &m.r.SkippedKinds
	}
	switch {
	case made:
		*names = append(*names, m.name)
		m.n.addTo(m.r)
	case m.o.SkipExisting:
		*skipped = append(*skipped, m.name)
	default:
		return fmt.Errorf("%w: the kind %q", board.ErrGroupExists, m.name)
	}
	return err
}

// discard deletes what is not complete.
func (m *maker) discard() error {
	if m.made == nil {
		return nil
	}
	return m.made.Close(context.WithoutCancel(m.ctx))
}

package archive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// WriteGroups writes a kind of groups with its groups and their members, as they are at one moment. Errors: board.ErrNoGroups, that of ctx, those of the engine and of w. O(members), all
// in memory.
func WriteGroups(ctx context.Context, w io.Writer, boards Boards, kind string) (r Report, err error) {
	a, err := archiveOf(boards)
	if err != nil {
		return r, err
	}
	groups, err := a.Groups(ctx, kind)
	if err != nil {
		return r, err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	lines := 0
	put := func(l line) {
		if lines++; err == nil {
			err = e.Encode(&l)
		}
	}
	put(line{Groups: &kind, Format: format})
	for i := range groups {
		g := &groups[i]
		created := moment(g.Created)
		put(line{Group: nameOf(g.Name), Created: &created, Meta: g.Meta})
		for _, member := range g.Members {
			put(line{Joined: nameOf(member)})
		}
		r.Members += len(g.Members)
	}
	put(line{Ended: &kind, Lines: lines + 1})
	r.Kinds, r.Groups = []string{kind}, len(groups)
	return r, errors.Join(err, b.Flush())
}

// groupsMaker makes a kind of groups of lines.
type groupsMaker struct {
	kind    string
	lines   int
	members int
	groups  []relocation.Group
}

// line does what a line says. ended says that it was the last one.
func (m *groupsMaker) line(l *line) (ended bool, err error) {
	m.lines++
	switch {
	case l.Group != nil:
		if l.Created == nil {
			return false, errors.New("a group has no time")
		}
		m.groups = append(m.groups, relocation.Group{Name: string(*l.Group), Created: int64(*l.Created), Meta: l.Meta})
	case l.Joined != nil:
		if len(m.groups) == 0 {
			return false, errors.New("a member is before the first group")
		}
		g := &m.groups[len(m.groups)-1]
		g.Members = append(g.Members, string(*l.Joined))
		m.members++
	case l.Ended == nil:
		return false, fmt.Errorf("a line of a board is among those of the groups %q", m.kind)
	case *l.Ended != m.kind || l.Lines != m.lines:
		return false, fmt.Errorf("it is the end of %q with %d lines, and the file has %d lines of %q", *l.Ended, l.Lines, m.lines, m.kind)
	default:
		return true, nil
	}
	return false, nil
}

// make makes the groups, or leaves them out if there is such a kind.
func (m *groupsMaker) make(ctx context.Context, a relocation.Archive, o Options, r *Report) error {
	made, err := a.PutGroups(ctx, m.kind, m.groups)
	switch {
	case err != nil:
		return err
	case made:
		r.Kinds, r.Groups, r.Members = append(r.Kinds, m.kind), r.Groups+len(m.groups), r.Members+m.members
	case o.SkipExisting:
		r.SkippedKinds = append(r.SkippedKinds, m.kind)
	default:
		return fmt.Errorf("%w: the kind %q", board.ErrGroupExists, m.kind)
	}
	return nil
}

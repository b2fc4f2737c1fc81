package archive

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// Write writes a board. Errors: board.ErrNoBoard, ErrLeftOut, ErrChanged, that of ctx, those of the
// engine and of w. O(bytes), with one period in memory at a time.
func Write(ctx context.Context, w io.Writer, boards Boards, name string, o Options) (r Report, err error) {
	a, err := archiveOf(boards)
	if err != nil {
		return r, err
	}
	src, err := a.Written(ctx, name)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, src.Close(ctx)) }()
	if r.LeftOut, err = src.LeftOut(ctx); err != nil {
		return r, err
	}
	if len(r.LeftOut) > 0 && !o.Partial {
		return r, fmt.Errorf("%w: of %q: %s", ErrLeftOut, name, strings.Join(r.LeftOut, ", "))
	}
	if o.Hold {
		defer func() { err = errors.Join(err, src.Release(ctx)) }()
		if err := src.Hold(ctx); err != nil {
			return r, err
		}
	}
	spec := src.Spec()
	err = write(w, &r, o, relocation.Line{Board: &spec}, name, func(put func(*relocation.Line) error) error {
		return src.Lines(ctx, put)
	})
	if err != nil {
		return r, err
	}
	changes, err := src.Changed(ctx)
	if err == nil && changes.Len() > 0 || errors.Is(err, relocation.ErrFellBehind) {
		err = fmt.Errorf("%w: %q", ErrChanged, name)
	}
	r.Boards = []string{name}
	return r, err
}

// WriteGroups writes a kind of groups with its groups and their members, as they are at one moment.
// Errors: board.ErrNoGroups, that of ctx, those of the engine and of w. O(members), all in memory.
func WriteGroups(ctx context.Context, w io.Writer, boards Boards, kind string) (r Report, err error) {
	a, err := archiveOf(boards)
	if err != nil {
		return r, err
	}
	err = write(w, &r, Options{}, relocation.Line{Groups: &kind}, kind, func(put func(*relocation.Line) error) error {
		return a.Groups(ctx, kind, put)
	})
	r.Kinds = []string{kind}
	return r, err
}

// write writes the first line of a board or of a kind of groups, those that each gives, and the
// last one.
func write(
	w io.Writer, r *Report, o Options, first relocation.Line, name string,
	each func(put func(*relocation.Line) error) error,
) error {
	b := bufio.NewWriterSize(w, 1<<16)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	n := counts{progress: o.Progress}
	put := func(l *relocation.Line) error {
		n.count(l)
		return e.Encode(l)
	}
	first.Format = format
	err := put(&first)
	if err == nil {
		err = each(put)
	}
	if err == nil {
		err = put(&relocation.Line{Ended: &name, Lines: n.lines + 1})
	}
	n.addTo(r)
	return errors.Join(err, b.Flush())
}

package archive

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// Read makes the boards of a file, and the kinds of groups. Errors: *LineError; board.ErrBoardExists, board.ErrGroupExists, board.ErrSpec, those of groups and, for a
// derived board, board.ErrNoGroups and board.ErrNoBoard in it; that of ctx, those of the engine and of r. After an error the boards of Report.Boards and the kinds of Report.Kinds are made,
// and no others. O(n log n), with one board in memory.
func Read(ctx context.Context, r io.Reader, boards Boards, o Options) (report Report, err error) {
	a, err := archiveOf(boards)
	if err != nil {
		return report, err
	}
	m := &maker{ctx: ctx, a: a, o: o, r: &report}
	defer func() { err = errors.Join(err, m.discard()) }()
	lines := bufio.NewReaderSize(r, 1<<16)
	var offset int64
	for n := 1; ; n++ {
		text, err := readLine(lines)
		if errors.Is(err, io.EOF) && len(text) == 0 {
			if m.hasBegun() {
				return report, &LineError{n, offset, m.name, io.ErrUnexpectedEOF}
			}
			return report, nil
		}
		if err == nil {
			err = m.line(text)
		}
		switch {
		case errors.Is(err, io.EOF): // the last line has no end: it may be cut off
			return report, &LineError{n, offset, m.name, io.ErrUnexpectedEOF}
		case ctx.Err() != nil:
			return report, context.Cause(ctx)
		case err != nil:
			return report, &LineError{n, offset, m.name, err}
		}
		offset += int64(len(text)) + 1
	}
}

package replay

import (
	"context"
	"errors"
	"io"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
)

// input is a file or a stream during its replay.
type input struct {
	*events.Input
	path  string // the name in messages
	key   string // the private key of its position
	specs specs.Specs
	feed  *feed.Feed
	batch feed.Batch
	tail  tail
	held  *feed.Item      // an item that was read for this batch and belongs to the next one; nil: none
	taken events.Position // after the last row that was skipped or is in this or an earlier batch
}

// position returns the position after the batch.
func (in *input) position() events.Position {
	if in.held != nil {
		return in.taken
	}
	return in.Position()
}

// badRow returns the error of a row that its board refuses.
func (in *input) badRow(line int, err error) *events.BadRowError {
	fault := faultOf(err)
	if errors.Is(err, board.ErrKind) {
		err = advice(err)
	}
	return &events.BadRowError{File: in.path, Line: line, Fault: fault, Reason: err.Error()}
}

// replay streams files into boards.
type replay struct {
	flags *replayFlags
	specs func(kind events.Kind) (specs.Specs, error)
	d     *datadir.Data
	in    io.Reader
	errs  io.Writer
	ctx   context.Context

	applied, known int64 // events applied, and rows that earlier runs had applied
	refused        refused
}

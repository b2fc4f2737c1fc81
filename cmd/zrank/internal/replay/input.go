package replay

import (
	"context"
	"errors"
	"io"

	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/feed"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
	"github.com/zrankdb/zrank/engine/board"
)

// input is a file or a stream on its way into boards.
type input struct {
	*events.Input
	path  string // as messages have it
	key   string // the private key of its position
	specs specs.Specs
	feed  *feed.Feed
	batch feed.Batch
	tail  tail
	held  *feed.Item      // read, but of the next batch
	taken events.Position // behind the last row that is in the batch, has been before, or was skipped
}

// position is how far the input is in, with the batch.
func (in *input) position() events.Position {
	if in.held != nil {
		return in.taken
	}
	return in.Position()
}

// badRow is the error of a row that its board does not take.
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

	applied, known int64 // events applied, rows found applied already
	refused        refused
}

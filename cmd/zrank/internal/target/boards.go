package target

import (
	"context"
	"iter"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/remote"
	"github.com/zrankdb/zrank/cmd/zrank/internal/datadir"
	"github.com/zrankdb/zrank/engine"
)

type engineOptions = engine.Options

// Boards is what commands need of boards, in a data directory or on a server.
type Boards interface {
	board.Store
	FeedNew(ctx context.Context, filter feed.Filter) iter.Seq2[feed.Event, error] // of what happens from now on

	// Now returns the time of the clock of a directory, and that of this machine for a server.
	Now() time.Time
	// Start starts the clock of a directory that OpenStill has opened. A server has its own.
	Start(ctx context.Context) error
	// SettleDue and CountDue do what is due in a directory. A server does that itself, when it is due.
	SettleDue(ctx context.Context) (board.Settled, error)
	CountDue(ctx context.Context) error
}

// directory is the boards of a directory.
type directory struct {
	board.Store
	d *datadir.Data
}

func ofDirectory(d *datadir.Data) Boards {
	return directory{d.Boards, d}
}

func (l directory) Now() time.Time                  { return l.d.Engine.Now() }
func (l directory) Start(ctx context.Context) error { return l.d.Start(ctx) }
func (l directory) CountDue(ctx context.Context) error {
	return l.d.Boards.CountDue(ctx)
}
func (l directory) SettleDue(ctx context.Context) (board.Settled, error) {
	return l.d.Boards.SettleDue(ctx)
}
func (l directory) FeedNew(ctx context.Context, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return func(yield func(feed.Event, error) bool) {
		end, err := l.d.Boards.FeedEnd(ctx)
		if err != nil {
			yield(feed.Event{}, err)
			return
		}
		l.d.Boards.Feed(ctx, end, filter)(yield)
	}
}

// server is the boards of a server.
type server struct {
	board.Store
	c *remote.Boards
}

func ofServer(c *remote.Boards) Boards { return server{c, c} }

func (r server) Now() time.Time                                   { return time.Now() }
func (r server) Start(ctx context.Context) error                  { return nil }
func (r server) CountDue(context.Context) error                   { return nil }
func (r server) SettleDue(context.Context) (board.Settled, error) { return board.Settled{}, nil }
func (r server) FeedNew(ctx context.Context, filter feed.Filter) iter.Seq2[feed.Event, error] {
	return r.c.FeedNew(ctx, filter)
}

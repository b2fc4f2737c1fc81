package pages

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/delayqueue"
	"github.com/zrankdb/zrank/engine/ratelimit"
	"github.com/zrankdb/zrank/server/access"
	"github.com/zrankdb/zrank/server/admin/internal/figures"
)

// Errors of pages, besides those of boards.
var (
	// ErrInput is returned for a parameter that cannot be read.
	ErrInput = errors.New("impossible value")
	// ErrHidden is returned for what the reader may not see.
	ErrHidden = errors.New("you may not see this")
)

// Site is what there is to show. Any goroutine may use it.
type Site struct {
	Boards  board.Store
	Local   *local.Boards  // the boards that are in an engine; nil: they are elsewhere
	Engine  *engine.Engine // of Local; nil: the boards are elsewhere
	Queues  map[string]*delayqueue.Queue
	Limits  []Limiter
	Backups string // a folder with backups, "" for none
	Clock   func() time.Time
	History *figures.History
	Rates   *figures.Rates
}

// Limiter is a limiter of rates and its name.
type Limiter struct {
	Name    string
	Limiter *ratelimit.Limiter
	Limits  []ratelimit.Limit
}

// Request is who looks at a page, and its parameters.
type Request struct {
	Context context.Context
	Who     access.Principal
	Query   url.Values
	Again   bool // the page is open, and its moving part is read again
}

// sees returns an error unless the reader may read a board; "" stands for what is not about one board.
func (r Request) sees(name string) error {
	if !r.Who.Can(access.Read, name) {
		return ErrHidden
	}
	return nil
}

// acts reports whether links to what moderators do are for a reader: for those who may, and for those who have not signed in yet.
func (r Request) acts(name string) bool {
	return !r.Who.IsKey() || r.Who.Can(access.Moderate, name)
}

// number reads a parameter that is a whole number from 0 on.
func (r Request) number(name string) (int, error) {
	text := r.Query.Get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%w: %s is no whole number from 0 on", ErrInput, name)
	}
	return n, nil
}

// Now returns the time by which periods end: that of the engine, which may not be the real one.
func (s *Site) Now() time.Time {
	if s.Engine != nil {
		return s.Engine.Now()
	}
	return s.Clock()
}

// board returns the board that a request is about.
func (s *Site) board(r Request) (board.Board, error) {
	name := r.Query.Get("board")
	if err := r.sees(name); err != nil {
		return nil, err
	}
	return s.Boards.Board(r.Context, name)
}

// names returns the boards that the reader may read, in order.
func (s *Site) names(r Request) ([]string, error) {
	all, err := s.Boards.Names(r.Context)
	if err != nil || r.Who.Can(access.Read, "") {
		return all, err
	}
	var seen []string
	for _, name := range all {
		if r.Who.Can(access.Read, name) {
			seen = append(seen, name)
		}
	}
	return seen, nil
}

// gone reports whether an error says that a board is not there any more.
func gone(err error) bool {
	return errors.Is(err, board.ErrNoBoard) || errors.Is(err, board.ErrNoWindow) || errors.Is(err, context.Canceled)
}

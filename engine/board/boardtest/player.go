package boardtest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zrankdb/zrank/engine/board"
)

// player is a scenario while it is played.
type player struct {
	b     Backend
	clock clock
	board string // the present one
	pins  map[string]board.Ranking
	kept  map[string]board.Ranking // since the last restart
	// restarted: there has been one
	restarted bool
	cursors   map[string]string
	counts    Counts
}

// clock stands until it is moved.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = t
}

// current returns the present board.
func (p *player) current() (Board, error) {
	if p.board == "" {
		return nil, fmt.Errorf("%w: there is no board yet", errStop)
	}
	return p.b.Board(p.board)
}

// action carries out a command and returns its answer.
type action func(p *player) (string, error)

// command is one of the language's.
type command struct {
	parse  func(a *args) action
	reads  bool // without an answer it would be of no use
	writes bool // when it fails, nothing has changed
}

// on makes an action of what is done to the present board.
func on(fn func(p *player, b Board) (string, error)) action {
	return func(p *player) (string, error) {
		b, err := p.current()
		if err != nil {
			return "", err
		}
		return fn(p, b)
	}
}

// Counts is what has been compared.
type Counts struct {
	Lines    int // commands carried out
	Answers  int // answers compared, errors among them
	Views    int // reads repeated in a View and on a pinned copy
	Refusals int // errors after which everything was compared with what it was before
}

// errStop says that what follows makes no sense.
var errStop = errors.New("scenario stops here")

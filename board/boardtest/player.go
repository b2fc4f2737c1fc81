package boardtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/feed"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// player is the state of a scenario that is being played.
type player struct {
	b     Backend
	clock clock
	board string // the name of the present board
	pins  map[string]board.Ranking
	kept  map[string]board.Ranking // rankings of the command keep since the last restart

	deliveries []delivery
	restarted  bool              // the backend has been restarted
	cursors    map[string]string // as text, by the names that page uses
	heard      feed.Position     // behind the last event that the command events has listed
	counts     Counts
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
func (p *player) current() (board.Board, error) {
	if p.board == "" {
		return nil, fmt.Errorf("%w: there is no board yet", errStop)
	}
	return p.b.Board(context.Background(), p.board)
}

// update runs a transaction of the engine that has the boards. Error: board.ErrUnsupported if there is none.
func (p *player) update(fn func(boards *local.Boards, tx *engine.Tx) error) error {
	all, err := locals(p.b)
	for _, boards := range all {
		if err == nil {
			err = boards.Engine().Update(context.Background(), func(tx *engine.Tx) error { return fn(boards, tx) })
		}
	}
	return err
}

// settle settles the periods that are closed, and delivers their awards.
func (p *player) settle() (err error) {
	all, _ := locals(p.b)
	for _, boards := range all {
		_, bad := boards.SettleDue(context.Background())
		err = errors.Join(err, bad)
	}
	return err
}

// countDue counts the members beyond the best ones, if a rank of one has been asked for.
func (p *player) countDue(ctx context.Context) (err error) {
	all, _ := locals(p.b)
	for _, boards := range all {
		err = errors.Join(err, boards.CountDue(ctx))
	}
	return err
}

// action runs a command and returns its answer.
type action func(p *player) (string, error)

// command is a command of the language.
type command struct {
	parse  func(a *args) action
	reads  bool // it only reads, so a line must have an answer
	writes bool // if it fails, the board must not have changed
}

// onBoard returns an action that runs fn on the present board.
func onBoard(fn func(p *player, b board.Board) (string, error)) action {
	return func(p *player) (string, error) {
		b, err := p.current()
		if err != nil {
			return "", err
		}
		return fn(p, b)
	}
}

// Counts are the numbers of things that were run and compared.
type Counts struct {
	Lines    int // commands run
	Answers  int // answers compared, errors among them
	Views    int // reads repeated in a View and on a pinned copy
	Refusals int // errors after which the board's contents were compared with those before
}

// errStop ends the scenario: the lines that follow depend on the one that failed.
var errStop = errors.New("scenario stops here")

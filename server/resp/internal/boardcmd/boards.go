package boardcmd

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// commands are the commands on the boards of one engine.
type commands struct {
	boards  *local.Boards // nil: the boards are not open
	cluster OpenCluster   // nil: boards do not move
}

// find returns the board of a name. Errors: a refusal.
func (b *commands) find(ctx context.Context, name string) (board.Board, error) {
	if b.boards == nil {
		return nil, noBoard(name)
	}
	found, err := b.boards.Board(ctx, name)
	if errors.Is(err, board.ErrNoBoard) {
		return nil, noBoard(name)
	}
	return found, err
}

func noKind(name string) error {
	return command.Refusal("ERR no such kind of groups '" + command.Clip([]byte(name), 128) + "'")
}

func noBoard(name string) error {
	return command.Refusal("ERR no such board '" + command.Clip([]byte(name), 128) + "'")
}

// reply returns what writes to a client.
func (b *commands) reply(c *session.Client) reply {
	return reply{Writer: &c.Out, boards: b.boards, work: c.Host.Work}
}

// info is BOARD.INFO [name]
func (b *commands) info(c *session.Client, a [][]byte) error {
	w := b.reply(c)
	switch {
	case len(a) > 2:
		return command.ErrArity("board.info")
	case len(a) == 1 && b.boards == nil:
		w.Array(0)
		return nil
	case len(a) == 1:
		all := b.boards.All()
		w.Array(len(all))
		for _, one := range all {
			w.text(one.Name())
		}
		return nil
	}
	found, err := b.find(c.Host.Work, string(a[1]))
	if err != nil {
		return err
	}
	text, err := json.Marshal(found.Spec())
	if err != nil {
		return err
	}
	mark := w.Len()
	w.Map(4)
	w.text("board")
	w.text(found.Name())
	w.text("version")
	w.Int(int64(found.Version()))
	w.text("spec")
	w.text(string(text))
	return w.truncated(mark, w.windows(c.Host.Work, found))
}

// list is BOARD.LIST
func (b *commands) list(c *session.Client, _ [][]byte) error {
	if b.boards == nil {
		c.Out.Array(0)
		return nil
	}
	w := b.reply(c)
	all, mark := b.boards.All(), w.Len()
	w.Array(len(all))
	for _, of := range all {
		w.Map(3)
		w.text("board")
		w.text(of.Name())
		w.text("version")
		w.Int(int64(of.Version()))
		if err := w.windows(c.Host.Work, of); err != nil {
			return w.truncated(mark, err)
		}
	}
	return nil
}

// truncated takes back what was written behind a mark if there is an error, and returns the error.
func (w *reply) truncated(mark int, err error) error {
	if err != nil {
		w.Truncate(mark)
	}
	return err
}

// windows writes the windows of a board under a name.
func (w *reply) windows(ctx context.Context, of board.Board) error {
	windows := of.Spec().Windows
	w.text("windows")
	w.Array(len(windows))
	for _, window := range windows {
		if err := w.window(ctx, of, window); err != nil {
			return err
		}
	}
	return nil
}

// window writes the state of a window. Its live period may have no members; between seasons there is no live period.
func (w *reply) window(ctx context.Context, of board.Board, window board.Window) error {
	var info board.Info
	members := 0
	r, err := of.Live(ctx, window.Name)
	if err == nil {
		info, err = r.Info(ctx)
	}
	if err == nil {
		members, err = r.Len(ctx)
	}
	if outside := new(board.OutsideError); errors.As(err, &outside) {
		info, members = board.Info{Window: window.Name}, 0
	} else if err != nil {
		return err
	}
	info.Board = of.Name()
	reset, _, err := of.NextReset(ctx, window.Name)
	if err != nil {
		return err
	}
	w.Map(8)
	w.text("window")
	w.text(window.Name)
	w.text("calendar")
	w.text(window.Text())
	w.period(info, members)
	w.text("next-reset")
	w.time(reset)
	return nil
}

package boardcmd

import (
	"context"
	"errors"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/session"
)

// alone returns what runs the first of the operations that the words of a request fit.
func (b *commands) alone(of []*syntax) func(c *session.Client, a [][]byte) error {
	return func(c *session.Client, a [][]byte) error {
		s := of[0]
		for _, other := range of[1:] {
			if other.fits(a) {
				s = other
			}
		}
		if !s.takes(len(a)) {
			return command.ErrArity(s.name)
		}
		r := b.request(s)
		defer s.release(r)
		return b.run(c, s, r, a[1:])
	}
}

// fits reports whether a request may be one of the syntax: it has enough words, and not too many, and those that stand for themselves are there.
func (s *syntax) fits(a [][]byte) bool {
	if !s.takes(len(a)) {
		return false
	}
	for i := range s.places {
		if word := s.places[i].literal; word != "" && !command.Is(a[1+i], word) {
			return false
		}
	}
	return true
}

// run does the operation of a request and writes the reply.
func (b *commands) run(c *session.Client, s *syntax, r *request, words [][]byte) error {
	err := s.read(r, words, func(name string) ([]board.Column, error) {
		of, err := b.find(c.Host.Work, name)
		if err != nil {
			return nil, err
		}
		return of.Spec().Columns, nil
	})
	if err != nil {
		return err
	}
	if b.boards == nil && (s.op == ops.ListKinds.Op || s.op == ops.ListUnions.Op) {
		c.Out.Array(0)
		return nil
	} else if b.boards == nil {
		return b.refuse(c, r, none(s.op))
	}
	r.env.Now, r.env.By = c.Host.Engine.Now, c.User.Name
	if ctx := b.context(c, s.op, r); !s.op.IsRead() {
		err = s.op.Do(ctx, &r.env, r.args, r.result)
	} else {
		var k board.Ranking
		if k, err = r.locator.Ranking(ctx, &r.env); err == nil {
			err = s.op.Read(c.Host.Work, &r.env, k, r.args, r.result)
		}
	}
	switch {
	case err == nil:
	case errors.Is(err, board.ErrNotRanked) && (s.op.IsRead() || s.op == ops.GetBestRank.Op), errors.Is(err, board.ErrNotInGroup) && s.op == ops.GetGroupOf.Op:
		writeNone(&c.Out, s.op)
		return nil
	default:
		return b.refuse(c, r, err)
	}
	w := b.reply(c)
	w.meta, w.dry, w.erases = r.meta, r.dry, s.op == ops.Erase.Op || s.op == ops.EraseEverywhere.Op
	w.result(r.result)
	return nil
}

// none returns the error of an operation on a server that has no boards.
func none(op *ops.Op) error {
	switch {
	case op.IsRead() || strings.Contains(op.Path(), "{board}"):
		return board.ErrNoBoard
	case strings.Contains(op.Path(), "{kind}") && op != ops.DefineKind.Op:
		return board.ErrNoGroups
	}
	return command.Refusal("ERR the server has no boards")
}

// context returns the context of an operation. What changes nothing that goes on later ends with the deferred operations of the server; what moderators
// change, and what takes long, ends with the server; what goes on nowhere if it is cut off does not end.
func (b *commands) context(c *session.Client, op *ops.Op, r *request) context.Context {
	switch {
	case op == ops.DissolveGroup.Op:
		return context.WithoutCancel(c.Host.Ctx)
	case op.Changes() && op.Right == ops.ToModerate, r.locator.IsPast():
		return c.Host.Ctx
	}
	return c.Host.Work
}

// refuse returns an error in the server's words, where it has some: a board, a window, groups that there are not.
func (b *commands) refuse(c *session.Client, r *request, err error) error {
	isGroups := errors.Is(err, board.ErrNoGroups)
	for _, args := range []any{&r.locator, r.args} {
		of, onBoard := args.(interface{ BoardName() string })
		in, onWindow := args.(interface{ WindowName() string })
		kind, onKind := args.(interface{ KindName() string })
		switch {
		case onKind && isGroups:
			return noKind(kind.KindName())
		case !onBoard || of.BoardName() == "":
		case errors.Is(err, board.ErrNoBoard):
			return noBoard(of.BoardName())
		case onWindow && errors.Is(err, board.ErrNoWindow):
			return b.noWindow(c.Host.Work, of.BoardName(), in.WindowName(), err)
		}
	}
	return err
}

// noWindow returns the refusal of a window that the board lacks, or the error if the board has been dropped meanwhile.
func (b *commands) noWindow(ctx context.Context, name, window string, err error) error {
	of, missing := b.boards.Board(ctx, name)
	if missing != nil {
		return err
	}
	var names []string
	for _, w := range of.Spec().Windows {
		names = append(names, w.Name)
	}
	return command.Refusal("ERR no such window '" + command.Clip([]byte(window), 128) + "'; it has " + strings.Join(names, ", "))
}

package move

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Follow returns boards that are in one place and may move to another one while they are used: calls go to the first until it answers that a board has left, and from
// then on to the second. While a move is between its last steps, calls get a *board.RelocatedError. Boards that Define makes are made in the first place. CloseDue closes the
// periods of both. Close closes neither.
func Follow(from, to board.Store) board.Store { return stores{from, to} }

type stores struct{ from, to board.Store }

// hasLeft reports whether an error says that a board has left.
func hasLeft(err error) bool {
	r := new(board.RelocatedError)
	return errors.As(err, &r) && r.Complete
}

// Define implements board.Store.
func (s stores) Define(ctx context.Context, spec board.Spec) (board.Board, error) {
	b, err := s.from.Define(ctx, spec)
	if hasLeft(err) {
		return s.to.Define(ctx, spec)
	}
	return s.follow(b, err)
}

// Board implements board.Store.
func (s stores) Board(ctx context.Context, name string) (board.Board, error) {
	b, err := s.from.Board(ctx, name)
	if hasLeft(err) {
		return s.to.Board(ctx, name)
	}
	return s.follow(b, err)
}

func (s stores) follow(b board.Board, err error) (board.Board, error) {
	if err != nil {
		return nil, err
	}
	f := &follower{name: b.Name(), to: s.to}
	f.at.Store(&b)
	return f, nil
}

// Names implements board.Store.
func (s stores) Names(ctx context.Context) ([]string, error) {
	from, err := s.from.Names(ctx)
	to, other := s.to.Names(ctx)
	names := append(from, to...)
	slices.Sort(names)
	return slices.Compact(names), errors.Join(err, other)
}

// Drop implements board.Store.
func (s stores) Drop(ctx context.Context, name string) error {
	if _, err := s.from.Board(ctx, name); hasLeft(err) {
		return s.to.Drop(ctx, name)
	}
	return s.from.Drop(ctx, name)
}

// CloseDue implements board.Store.
func (s stores) CloseDue(ctx context.Context) (closed int, err error) {
	n, err := s.from.CloseDue(ctx)
	m, other := s.to.CloseDue(ctx)
	return n + m, errors.Join(err, other)
}

// Close implements board.Store.
func (stores) Close() error { return nil }

// follower is a board that may leave.
type follower struct {
	name string
	to   board.Store
	at   atomic.Pointer[board.Board]
}

// call calls fn with the board, and again if it has left.
func call[T any](ctx context.Context, f *follower, fn func(b board.Board) (T, error)) (T, error) {
	at := f.at.Load()
	v, err := fn(*at)
	if !hasLeft(err) {
		return v, err
	}
	there, err := f.to.Board(ctx, f.name)
	if err != nil {
		return v, err
	}
	f.at.CompareAndSwap(at, &there)
	return fn(there)
}

func (f *follower) Name() string { return f.name }

func (f *follower) Spec() board.Spec { return (*f.at.Load()).Spec() }

func (f *follower) Submit(ctx context.Context, sub board.Submission) (board.Change, error) {
	return call(ctx, f, func(b board.Board) (board.Change, error) { return b.Submit(ctx, sub) })
}

func (f *follower) Apply(ctx context.Context, sub board.Submission) (bool, error) {
	return call(ctx, f, func(b board.Board) (bool, error) { return b.Apply(ctx, sub) })
}

func (f *follower) SubmitFunc(ctx context.Context, sub board.Submission, score func(was board.Row, ranked bool) (board.Score, bool)) (board.Change, error) {
	return call(ctx, f, func(b board.Board) (board.Change, error) { return b.SubmitFunc(ctx, sub, score) })
}

func (f *follower) SubmitAll(ctx context.Context, subs []board.Submission) ([]board.Change, error) {
	return call(ctx, f, func(b board.Board) ([]board.Change, error) { return b.SubmitAll(ctx, subs) })
}

func (f *follower) Remove(ctx context.Context, member string) ([]board.Removed, error) {
	return call(ctx, f, func(b board.Board) ([]board.Removed, error) { return b.Remove(ctx, member) })
}

func (f *follower) SetMeta(ctx context.Context, window, member string, meta []byte) error {
	_, err := call(ctx, f, func(b board.Board) (struct{}, error) { return struct{}{}, b.SetMeta(ctx, window, member, meta) })
	return err
}

func (f *follower) Live(ctx context.Context, window string) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.Live(ctx, window) })
}

func (f *follower) Period(ctx context.Context, window, period string) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.Period(ctx, window, period) })
}

func (f *follower) LastClosed(ctx context.Context, window string) (board.Ranking, error) {
	return call(ctx, f, func(b board.Board) (board.Ranking, error) { return b.LastClosed(ctx, window) })
}

func (f *follower) Periods(ctx context.Context, window string) ([]board.Usage, error) {
	return call(ctx, f, func(b board.Board) ([]board.Usage, error) { return b.Periods(ctx, window) })
}

func (f *follower) CloseNow(ctx context.Context, window string) (board.Info, error) {
	return call(ctx, f, func(b board.Board) (board.Info, error) { return b.CloseNow(ctx, window) })
}

// moment is what NextReset and Deadline return.
type moment struct {
	at time.Time
	ok bool
}

func (f *follower) NextReset(ctx context.Context, window string) (time.Time, bool, error) {
	m, err := call(ctx, f, func(b board.Board) (m moment, err error) {
		m.at, m.ok, err = b.NextReset(ctx, window)
		return m, err
	})
	return m.at, m.ok, err
}

func (f *follower) Deadline(ctx context.Context, t time.Time) (time.Time, bool, error) {
	m, err := call(ctx, f, func(b board.Board) (m moment, err error) {
		m.at, m.ok, err = b.Deadline(ctx, t)
		return m, err
	})
	return m.at, m.ok, err
}

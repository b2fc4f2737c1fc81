package move

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/board"
)

// Follow returns boards that are in one place and may move to another one while they are used: calls go to the first until it answers that a board has left, and from
// then on to the second. While a move is between its last steps, calls get a *board.RelocatedError. Boards that Define makes are made in the first place. CloseDue closes the
// periods of both. Close closes neither.
func Follow(from, to board.Store) board.Store { return stores{from, from, from, from, to} }

// stores is boards in one place that may move to another one. Groups, unions and the feed are those of the first, and stay there.
type stores struct {
	board.Grouper
	board.Unioner
	board.Feeder
	from, to board.Store
}

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

// Migrate implements board.Store.
func (s stores) Migrate(ctx context.Context, spec board.Spec) (board.Board, error) {
	if _, err := s.from.Board(ctx, spec.Name); hasLeft(err) {
		return s.to.Migrate(ctx, spec)
	}
	return s.follow(s.from.Migrate(ctx, spec))
}

// Ban implements board.Store.
func (s stores) Ban(ctx context.Context, member string, a board.Action) (board.Banned, error) {
	all, err := s.from.Ban(ctx, member, a)
	there, other := s.to.Ban(ctx, member, a)
	return board.Banned{Boards: union(all.Boards, there.Boards), Resettled: append(all.Resettled, there.Resettled...)}, errors.Join(err, other)
}

// Erase implements board.Store.
func (s stores) Erase(ctx context.Context, member string, a board.Action) (board.Erased, error) {
	all, err := s.from.Erase(ctx, member, a)
	there, other := s.to.Erase(ctx, member, a)
	all.Boards, all.Unions, all.Groups = union(all.Boards, there.Boards), append(all.Unions, there.Unions...), append(all.Groups, there.Groups...)
	return all, errors.Join(err, other)
}

// union returns the entries of two maps.
func union(a, b map[string]board.Moderated) map[string]board.Moderated {
	all := map[string]board.Moderated{}
	maps.Copy(all, a)
	maps.Copy(all, b)
	return all
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
	v, err := fn(*f.at.Load())
	if !hasLeft(err) {
		return v, err
	}
	if err := f.goOn(ctx); err != nil {
		return v, err
	}
	return fn(*f.at.Load())
}

// goOn makes further calls go to the second place.
func (f *follower) goOn(ctx context.Context) error {
	there, err := f.to.Board(ctx, f.name)
	if err == nil {
		f.at.Store(&there)
	}
	return err
}

// do is call for calls that return an error only.
func do(ctx context.Context, f *follower, fn func(b board.Board) error) error {
	_, err := call(ctx, f, func(b board.Board) (struct{}, error) { return struct{}{}, fn(b) })
	return err
}

// found is call for calls that also say whether they have found something.
func found[T any](ctx context.Context, f *follower, fn func(b board.Board) (T, bool, error)) (v T, ok bool, err error) {
	v, err = call(ctx, f, func(b board.Board) (v T, err error) {
		v, ok, err = fn(b)
		return v, err
	})
	return v, ok, err
}

// each is call for calls that iterate. That a board has left is the first that they yield.
func each[T any](ctx context.Context, f *follower, fn func(b board.Board) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range fn(*f.at.Load()) {
			if hasLeft(err) && f.goOn(ctx) == nil {
				fn(*f.at.Load())(yield)
				return
			}
			if !yield(v, err) {
				return
			}
		}
	}
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
	return do(ctx, f, func(b board.Board) error { return b.SetMeta(ctx, window, member, meta) })
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

// NextReset implements board.Board.
func (f *follower) NextReset(ctx context.Context, window string) (time.Time, bool, error) {
	return found(ctx, f, func(b board.Board) (time.Time, bool, error) { return b.NextReset(ctx, window) })
}

// Deadline implements board.Board.
func (f *follower) Deadline(ctx context.Context, t time.Time) (time.Time, bool, error) {
	return found(ctx, f, func(b board.Board) (time.Time, bool, error) { return b.Deadline(ctx, t) })
}

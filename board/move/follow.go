package move

import (
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
func (s stores) Define(spec board.Spec) (board.Board, error) {
	b, err := s.from.Define(spec)
	if hasLeft(err) {
		return s.to.Define(spec)
	}
	return s.follow(b, err)
}

// Board implements board.Store.
func (s stores) Board(name string) (board.Board, error) {
	b, err := s.from.Board(name)
	if hasLeft(err) {
		return s.to.Board(name)
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
func (s stores) Names() ([]string, error) {
	from, err := s.from.Names()
	to, other := s.to.Names()
	names := append(from, to...)
	slices.Sort(names)
	return slices.Compact(names), errors.Join(err, other)
}

// Drop implements board.Store.
func (s stores) Drop(name string) error {
	if _, err := s.from.Board(name); hasLeft(err) {
		return s.to.Drop(name)
	}
	return s.from.Drop(name)
}

// CloseDue implements board.Store.
func (s stores) CloseDue() (closed int, err error) {
	n, err := s.from.CloseDue()
	m, other := s.to.CloseDue()
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
func call[T any](f *follower, fn func(b board.Board) (T, error)) (T, error) {
	at := f.at.Load()
	v, err := fn(*at)
	if !hasLeft(err) {
		return v, err
	}
	there, err := f.to.Board(f.name)
	if err != nil {
		return v, err
	}
	f.at.CompareAndSwap(at, &there)
	return fn(there)
}

func (f *follower) Name() string { return f.name }

func (f *follower) Spec() board.Spec { return (*f.at.Load()).Spec() }

func (f *follower) Submit(sub board.Submission) (board.Change, error) {
	return call(f, func(b board.Board) (board.Change, error) { return b.Submit(sub) })
}

func (f *follower) Apply(sub board.Submission) (bool, error) {
	return call(f, func(b board.Board) (bool, error) { return b.Apply(sub) })
}

func (f *follower) SubmitFunc(sub board.Submission, score func(was board.Row, ranked bool) (board.Score, bool)) (board.Change, error) {
	return call(f, func(b board.Board) (board.Change, error) { return b.SubmitFunc(sub, score) })
}

func (f *follower) SubmitAll(subs []board.Submission) ([]board.Change, error) {
	return call(f, func(b board.Board) ([]board.Change, error) { return b.SubmitAll(subs) })
}

func (f *follower) Remove(member string) ([]board.Removed, error) {
	return call(f, func(b board.Board) ([]board.Removed, error) { return b.Remove(member) })
}

func (f *follower) SetMeta(window, member string, meta []byte) error {
	_, err := call(f, func(b board.Board) (struct{}, error) { return struct{}{}, b.SetMeta(window, member, meta) })
	return err
}

func (f *follower) Live(window string) (board.Ranking, error) {
	return call(f, func(b board.Board) (board.Ranking, error) { return b.Live(window) })
}

func (f *follower) Period(window, period string) (board.Ranking, error) {
	return call(f, func(b board.Board) (board.Ranking, error) { return b.Period(window, period) })
}

func (f *follower) LastClosed(window string) (board.Ranking, error) {
	return call(f, func(b board.Board) (board.Ranking, error) { return b.LastClosed(window) })
}

func (f *follower) Periods(window string) ([]board.Usage, error) {
	return call(f, func(b board.Board) ([]board.Usage, error) { return b.Periods(window) })
}

func (f *follower) CloseNow(window string) (board.Info, error) {
	return call(f, func(b board.Board) (board.Info, error) { return b.CloseNow(window) })
}

// moment is what NextReset and Deadline return.
type moment struct {
	at time.Time
	ok bool
}

func (f *follower) NextReset(window string) (time.Time, bool, error) {
	m, err := call(f, func(b board.Board) (m moment, err error) {
		m.at, m.ok, err = b.NextReset(window)
		return m, err
	})
	return m.at, m.ok, err
}

func (f *follower) Deadline(t time.Time) (time.Time, bool, error) {
	m, err := call(f, func(b board.Board) (m moment, err error) {
		m.at, m.ok, err = b.Deadline(t)
		return m, err
	})
	return m.at, m.ok, err
}

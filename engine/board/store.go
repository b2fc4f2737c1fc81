package board

import "time"

// Leaderboard is what a board has wherever it is kept: *Board, and the boards of package cluster. Its methods do what those of Board do.
type Leaderboard interface {
	Name() string
	Spec() Spec

	Submit(sub Submission) (Change, error)
	Apply(sub Submission) (changed bool, err error)
	SubmitFunc(sub Submission, score func(was Row, ranked bool) (Score, bool)) (Change, error)
	SubmitAll(subs []Submission) ([]Change, error)
	Remove(member string) ([]Removed, error)
	SetMeta(window, member string, meta []byte) error

	Live(window string) (Ranking, error)
	Period(window, period string) (Ranking, error)
	LastClosed(window string) (Ranking, error)
	Periods(window string) ([]Usage, error)
	CloseNow(window string) (Info, error)
	NextReset(window string) (at time.Time, ok bool, err error)
	Deadline(t time.Time) (until time.Time, ok bool, err error)
}

var _ Leaderboard = (*Board)(nil)

// Store is boards, wherever they are kept: see StoreOf. That of StoreOf has a method Unwrap() any, which returns the boards that it was given.
type Store interface {
	Define(spec Spec) (Leaderboard, error)
	Board(name string) (Leaderboard, error)
	Names() ([]string, error)
	Drop(name string) error
	CloseDue() (closed int, err error)
	Close() error
}

// boardsOf is *Boards, or those of package cluster.
type boardsOf[B Leaderboard] interface {
	Define(spec Spec) (B, error)
	Board(name string) (B, error)
	Names() ([]string, error)
	Drop(name string) error
	CloseDue() (closed int, err error)
	Close() error
}

// StoreOf returns *Boards, or those of package cluster, as a Store: for a program that is told at its start where its boards are.
func StoreOf[B Leaderboard](boards boardsOf[B]) Store { return store[B]{boards} }

type store[B Leaderboard] struct{ boardsOf[B] }

// Unwrap returns the boards that StoreOf was given: for callers that ask them for what Store does not have.
func (s store[B]) Unwrap() any { return s.boardsOf }

func (s store[B]) Define(spec Spec) (Leaderboard, error) { return leaderboard(s.boardsOf.Define(spec)) }

func (s store[B]) Board(name string) (Leaderboard, error) { return leaderboard(s.boardsOf.Board(name)) }

// leaderboard returns no board in the place of one that is nil.
func leaderboard[B Leaderboard](b B, err error) (Leaderboard, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}

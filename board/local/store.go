package local

import (
	"context"
	"github.com/zrankdb/zrank/board"
)

var _ board.Board = (*Board)(nil)

// boardsOf is *Boards, or those of package cluster.
type boardsOf[B board.Board] interface {
	Define(ctx context.Context, spec board.Spec) (B, error)
	Board(ctx context.Context, name string) (B, error)
	Names(ctx context.Context) ([]string, error)
	Drop(ctx context.Context, name string) error
	CloseDue(ctx context.Context) (closed int, err error)
	Close() error
}

// StoreOf returns *Boards, or those of package cluster, as a Store: for a program that is told at its start where its boards are.
func StoreOf[B board.Board](boards boardsOf[B]) board.Store { return store[B]{boards} }

type store[B board.Board] struct{ boardsOf[B] }

// Unwrap returns the boards that StoreOf was given: for callers that ask them for what Store does not have.
func (s store[B]) Unwrap() any { return s.boardsOf }

func (s store[B]) Define(ctx context.Context, spec board.Spec) (board.Board, error) {
	return leaderboard(s.boardsOf.Define(ctx, spec))
}

func (s store[B]) Board(ctx context.Context, name string) (board.Board, error) {
	return leaderboard(s.boardsOf.Board(ctx, name))
}

// leaderboard returns no board in the place of one that is nil.
func leaderboard[B board.Board](b B, err error) (board.Board, error) {
	if err != nil {
		return nil, err
	}
	return b, nil
}

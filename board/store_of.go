package board

import "context"

// boardsOf is a Store whose methods return types of their own.
type boardsOf[B Board, G Groups] interface {
	Define(ctx context.Context, spec Spec) (B, error)
	Migrate(ctx context.Context, spec Spec) (B, error)
	Board(ctx context.Context, name string) (B, error)
	Names(ctx context.Context) ([]string, error)
	Drop(ctx context.Context, name string) error
	CloseDue(ctx context.Context) (closed int, err error)
	Close() error
	Ban(ctx context.Context, member string, a Action) (Banned, error)
	Erase(ctx context.Context, member string, a Action) (Receipt, error)
	DefineGroups(ctx context.Context, kind string) (G, error)
	Groups(ctx context.Context, kind string) (G, error)
	GroupKinds(ctx context.Context) ([]string, error)
	Unioner
	Feeder
}

// StoreOf returns the boards of a home as a Store: for a program that is told at its start where its boards are.
func StoreOf[B Board, G Groups](boards boardsOf[B, G]) Store { return store[B, G]{boards} }

type store[B Board, G Groups] struct{ boardsOf[B, G] }

func (s store[B, G]) Define(ctx context.Context, spec Spec) (Board, error) {
	return orNil[Board](s.boardsOf.Define(ctx, spec))
}

func (s store[B, G]) Migrate(ctx context.Context, spec Spec) (Board, error) {
	return orNil[Board](s.boardsOf.Migrate(ctx, spec))
}

func (s store[B, G]) Board(ctx context.Context, name string) (Board, error) {
	return orNil[Board](s.boardsOf.Board(ctx, name))
}

func (s store[B, G]) DefineGroups(ctx context.Context, kind string) (Groups, error) {
	return orNil[Groups](s.boardsOf.DefineGroups(ctx, kind))
}

func (s store[B, G]) Groups(ctx context.Context, kind string) (Groups, error) {
	return orNil[Groups](s.boardsOf.Groups(ctx, kind))
}

// orNil returns a value as an interface; nil if there is an error.
func orNil[I any](v any, err error) (i I, _ error) {
	if err != nil {
		return i, err
	}
	return v.(I), nil
}

package relocation

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// Archive is boards that can be written to a file, and made of one. They stay where they are, and
// so may have more than those that move.
type Archive interface {
	Store
	// Written returns a board to be written. Errors: board.ErrNoBoard, those of the store.
	Written(ctx context.Context, name string) (Written, error)
	// Made returns a new board that nobody sees yet. Errors: board.ErrBoardExists, those of the
	// spec and of the store.
	Made(ctx context.Context, spec board.Spec) (Made, error)
	// Groups calls fn with the lines of a kind of groups, without the first and the last, as they
	// are at one moment. O(members log members). Errors: board.ErrNoGroups, that of ctx, those of
	// fn and of the store.
	Groups(ctx context.Context, kind string, fn func(*Line) error) error
	// MadeGroups returns a kind of groups that nobody sees yet.
	MadeGroups(kind string) Made
}

// Written is a board that is written to a file.
type Written interface {
	Source
	// Lines calls fn with the lines of the board, without the first and the last. Errors:
	// board.ErrBusy while cohorts are being settled, that of ctx, those of fn and of the store.
	Lines(ctx context.Context, fn func(*Line) error) error
}

// Made is a board, or a kind of groups, that is made of a file.
type Made interface {
	// Add adds what a line says that is neither the first nor the last. Error: one for a line that
	// cannot be there.
	Add(l *Line) error
	// Open stores it whole or not at all, and makes it one that everybody sees. It returns false
	// for a kind of groups that there is. Errors: one for lines that cannot be together, that of
	// ctx, those of the store.
	Open(ctx context.Context) (made bool, err error)
	// Close lets go of what is in memory, and deletes what is stored unless it is open.
	Close(ctx context.Context) error
}

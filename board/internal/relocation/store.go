package relocation

import (
	"context"

	"github.com/zrankdb/zrank/board"
)

// Store is where boards are.
type Store interface {
	// Address says where that is, for errors.
	Address() string
	// Names returns the names of the boards that have not left, in order.
	Names(ctx context.Context) ([]string, error)
	// Source returns a board to be moved, and begins to note what changes. Errors: board.ErrNoBoard, those of the store.
	Source(ctx context.Context, name string) (Source, error)
	// Target returns a board to be filled: a new one that nobody sees, or the one of an earlier move that was cut short. With an id it is that of the move. Errors:
	// board.ErrBoardExists if there is a board of the name, ErrLeaving if there is none with the id, one for a spec that the store cannot take, those of the store.
	Target(ctx context.Context, spec board.Spec, id string) (Target, error)
	// Has reports whether the board that a target was is open.
	Has(ctx context.Context, name, id string) (bool, error)
}

// Destination is where a board goes: the address of the store, and the ID of the target.
type Destination struct{ Address, ID string }

// Source is a board that is to leave.
type Source interface {
	// Spec returns its spec, with its defaults filled in.
	Spec() board.Spec
	// LeftOut returns what the board has and no move takes along.
	LeftOut(ctx context.Context) ([]string, error)
	// LeavesTo returns where the board goes if Leave was called, and it has not left.
	LeavesTo() Destination

	// Header returns what is known beside the entries.
	Header(ctx context.Context) (Header, error)
	// Entries calls fn with the entries of a ranking, some at a time; some may come twice. Changes while it runs may be missing.
	Entries(ctx context.Context, r Ranking, fn func([]Entry) error) error
	// Some returns the entries of those of some members that have one.
	Some(ctx context.Context, r Ranking, members []string) ([]Entry, error)
	// Len returns the number of members of a ranking.
	Len(ctx context.Context, r Ranking) (int, error)
	// Once calls fn with the Once keys, some at a time.
	Once(ctx context.Context, fn func([]OnceKey) error) error
	// Changed returns what has changed since Changed was called last, or the source was made. Error: ErrFellBehind if that is not known.
	Changed(ctx context.Context) (Changes, error)

	// Hold makes all changes wait until Release, and waits for those in progress.
	Hold(ctx context.Context) error
	// Leave stores that the board leaves; afterwards it refuses every call. Left stores that it has left.
	Leave(ctx context.Context, to Destination) error
	Left(ctx context.Context) error
	// Stay takes Leave back.
	Stay(ctx context.Context) error
	// Release ends Hold.
	Release(ctx context.Context) error
	// Close ends the noting of changes.
	Close(ctx context.Context) error
}

// Target is a board that comes.
type Target interface {
	// ID tells the board from others of its name.
	ID() string
	// Put stores entries in place of those that the members have.
	Put(ctx context.Context, r Ranking, list []Difference) error
	// Remove removes members.
	Remove(ctx context.Context, r Ranking, members []string) error
	// Some returns the entries of those of some members that have one.
	Some(ctx context.Context, r Ranking, members []string) ([]Entry, error)
	// Members calls fn with all members of a ranking, some at a time.
	Members(ctx context.Context, r Ranking, fn func(members []string) error) error
	// Len returns the number of members of a ranking.
	Len(ctx context.Context, r Ranking) (int, error)
	// PutOnce stores Once keys.
	PutOnce(ctx context.Context, keys []OnceKey) error

	// Finish stores what is known beside the entries, and deletes rankings that are not named there.
	Finish(ctx context.Context, h Header) error
	// Open makes the board one that everybody sees.
	Open(ctx context.Context) error
	// Discard deletes the board.
	Discard(ctx context.Context) error
	// Close lets go of what the target has in memory.
	Close() error
}

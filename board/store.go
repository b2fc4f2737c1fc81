package board

import (
	"context"
	"time"
)

// Board is what a board has wherever it is kept: in an engine, on a cluster, on a server.
type Board interface {
	// Name returns the name of the board.
	Name() string
	// Spec returns a copy of the stored spec, with its defaults filled in.
	Spec() Spec

	// Submit applies a submission to every window that it goes to, in one commit, and says what it did.
	Submit(ctx context.Context, sub Submission) (Change, error)
	// Apply is Submit for callers that only need to know whether any entry has changed.
	Apply(ctx context.Context, sub Submission) (changed bool, err error)
	// SubmitFunc is Submit with a score that a function computes from the row that the member has.
	SubmitFunc(ctx context.Context, sub Submission, score func(was Row, ranked bool) (Score, bool)) (Change, error)
	// SubmitAll applies submissions in their order, in one commit: all or none. Error: a *BatchError names the one that cannot be taken.
	SubmitAll(ctx context.Context, subs []Submission) ([]Change, error)
	// Remove removes a member from every period that accepts results, and returns its entries.
	Remove(ctx context.Context, member string) ([]Removed, error)
	// SetMeta replaces the metadata of a member's entry in the live period of a window.
	SetMeta(ctx context.Context, window, member string, meta []byte) error

	// Live returns the ranking of the live period of a window, whichever that is when it is read.
	Live(ctx context.Context, window string) (Ranking, error)
	// Period returns the ranking of a period by its name.
	Period(ctx context.Context, window, period string) (Ranking, error)
	// LastClosed returns the ranking of a window's last closed period that had members.
	LastClosed(ctx context.Context, window string) (Ranking, error)
	// Periods returns the periods of a window that have members, in order of time.
	Periods(ctx context.Context, window string) ([]Usage, error)
	// CloseNow closes the live period of a window by hand.
	CloseNow(ctx context.Context, window string) (Info, error)
	// NextReset returns the first moment of the window's next period; false if there is none.
	NextReset(ctx context.Context, window string) (at time.Time, ok bool, err error)
	// Deadline returns until when the board accepts a result of time t; false if none of its periods closes by itself.
	Deadline(ctx context.Context, t time.Time) (until time.Time, ok bool, err error)
}

// Store is boards, wherever they are kept. local.StoreOf makes one of the boards of an engine or of a cluster; it also has a method Unwrap() any, which returns the
// boards that StoreOf was given.
type Store interface {
	// Define returns the board with the name of the spec, and makes it if there is none.
	Define(ctx context.Context, spec Spec) (Board, error)
	// Board returns a board by its name. Error: ErrNoBoard.
	Board(ctx context.Context, name string) (Board, error)
	// Names returns the names of all boards, in order.
	Names(ctx context.Context) ([]string, error)
	// Drop deletes a board with all that is kept of it.
	Drop(ctx context.Context, name string) error
	// CloseDue closes the periods whose time is up, and returns how many that were.
	CloseDue(ctx context.Context) (closed int, err error)
	// Close ends the background work and waits for calls in progress. A second Close returns nil.
	Close() error
}

// Usage describes a period: its Info, its number of Members, how many awards of it are Waiting to be delivered or claimed, and the bytes that it takes: Memory,
// near 0 if the period is not resident, and Disk, an estimate as of the last snapshot.
type Usage struct {
	Info
	Members int   `json:"members"` // how many members are ranked
	Memory  int64 `json:"memory"`  // bytes, in the engine's keyspace too; near 0 if the period is not in memory
	Waiting int   `json:"waiting"` // awards that wait to be delivered or claimed; 0 before the period is settled
	Disk    int64 `json:"disk"`    // about what it takes on the disk in bytes, as of the last snapshot
}

// MaxBaseline is the length of the longest name of a baseline, in bytes.
const MaxBaseline = 64

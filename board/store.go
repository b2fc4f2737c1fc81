package board

import (
	"context"
	"time"
)

// Board is a leaderboard, wherever it is kept: in an engine, on a cluster, on a server. What a home cannot do is ErrUnsupported, with the reason; Define refuses
// specs that need it.
type Board interface {
	// Name returns the name of the board.
	Name() string
	// Spec returns a copy of the stored spec, with its defaults filled in.
	Spec() Spec
	// Version returns how often the spec has been changed by a migration, from 1.
	Version() int

	Submitter
	Reader
	Baseliner
	Moderator
	Journaler
	Awarder
	Promoter
	Watcher
	Rebuilder
}

// Submitter takes results.
type Submitter interface {
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
	// CloseNow closes the live period of a window by hand.
	CloseNow(ctx context.Context, window string) (Info, error)
}

// Reader has the rankings of a board, of all its periods.
type Reader interface {
	// Live returns the ranking of the live period of a window. Callers may keep it: each call on it,
	// Info too, reads the one period that is live at that moment by the engine's clock. The ranking
	// may be empty. O(1).
	Live(ctx context.Context, window string) (Ranking, error)
	// Period returns the ranking of a window's period by its name.
	Period(ctx context.Context, window, period string) (Ranking, error)
	// At returns the ranking of the period with Start <= t < End. The ranking stays with that period.
	// It may be empty. O(1). Errors: those of Live.
	At(ctx context.Context, window string, t time.Time) (Ranking, error)
	// Latest returns the ranking of a window's latest period that has members, closed or not.
	// O(periods).
	Latest(ctx context.Context, window string) (Ranking, error)
	// LastClosed returns the ranking of a window's last closed period that had members: Ranking.Arrows
	// compares a live ranking with it. After periods without members it is not the one before the live
	// one: Ranking.Info says which it is. O(1).
	LastClosed(ctx context.Context, window string) (Ranking, error)
	// Periods returns the periods of a window that have members, in order of time, with the space that
	// each takes. It does not load them. O(periods).
	Periods(ctx context.Context, window string) ([]Usage, error)
	// NextReset returns the first moment of the window's next period: for a countdown. ok is false if
	// there is none: for the window All, after the last season, and after an event. O(1).
	NextReset(ctx context.Context, window string) (at time.Time, ok bool, err error)
	// Deadline returns until when the board accepts a result that happens at t: the time at which the
	// first of the periods that contain t closes. ok is false if none of them closes by itself. A
	// rolling window accepts a result until it leaves. O(windows). Errors: an *OutsideError.
	Deadline(ctx context.Context, t time.Time) (until time.Time, ok bool, err error)
	// NextChange returns when the first of the results behind a member's score leaves a rolling
	// window: the score stays as it is until then, unless the member submits. O(1), of a group
	// O(members).
	NextChange(ctx context.Context, window, member string) (at time.Time, ok bool, err error)
	// BestRank returns the best ordinal rank, from 1, that a member ever had right after one of its
	// submissions, in any period of a window. ok is false if none is stored: only boards whose spec
	// has BestRanks store them. O(1).
	BestRank(ctx context.Context, window, member string) (rank int, ok bool, err error)
}

// Baseliner keeps copies of live rankings, to compare with.
type Baseliner interface {
	// SaveBaseline stores a copy of the ranking of a window's live period, as it is at one moment,
	// under a name. It replaces a baseline of the same name. Ranking.Arrows compares later rankings
	// with it. Writers wait while one page is copied at a time. O(n log n).
	SaveBaseline(ctx context.Context, window, name string) error
	// Baseline returns a baseline of a window. It is empty if nobody was ranked when it was saved.
	// O(1).
	Baseline(ctx context.Context, window, name string) (Ranking, error)
	// Baselines returns the names of a window's baselines that have members, in order. O(sets of the
	// engine).
	Baselines(ctx context.Context, window string) ([]string, error)
	// DropBaseline drops a baseline, if there is one.
	DropBaseline(ctx context.Context, window, name string) error
}

// Store has boards, and what is about several of them. What a home cannot do is ErrUnsupported, with the reason.
type Store interface {
	// Define returns the board with the name of the spec, and makes it if there is none.
	Define(ctx context.Context, spec Spec) (Board, error)
	// Migrate gives a board another spec. It writes every period that the board keeps, closed ones
	// too, and every baseline under the new rules. One commit then changes the board to the new spec.
	// Until then reads see the old spec, and submissions wait.
	Migrate(ctx context.Context, spec Spec) (Board, error)
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
	// Ban bans a member on all boards, as Board.Ban, and settles the closed periods again that have
	// awarded something to it or to those behind it: see Board.Resettle, whose Without stays as it
	// was. Errors: those of Board.Ban, but for ErrBanned, and of Board.Resettle.
	Ban(ctx context.Context, member string, a Action) (all Banned, err error)
	// Erase erases a member from all boards, as Board.Erase, from the stored unions, which then have
	// one member less, and from its groups, which it leaves first. A name that somebody else has by
	// now goes from the audit log and the unions of the time before only. Errors: as Board.Erase.
	Erase(ctx context.Context, member string, a Action) (r Erased, err error)

	Grouper
	Unioner
	Feeder
}

// Usage describes a period: its Info, its number of Members, how many awards of it are Waiting to be delivered or claimed, and the bytes that it takes: Memory,
// near 0 if the period is not resident, and Disk, an estimate as of the last snapshot.
type Usage struct {
	Info
	Members int   `json:"members"`           // how many members are ranked
	Memory  int64 `json:"memory,omitempty"`  // bytes, in the engine's keyspace too; near 0 if the period is not in memory
	Waiting int   `json:"waiting,omitempty"` // awards that wait to be delivered or claimed; 0 before the period is settled
	Disk    int64 `json:"disk,omitempty"`    // about what it takes on the disk in bytes, as of the last snapshot
}

// MaxBaseline is the length of the longest name of a baseline, in bytes.
const MaxBaseline = 64

package persist

import (
	"context"

	"github.com/zrankdb/zrank/persist/internal/commitlog"
	"github.com/zrankdb/zrank/persist/wal"
)

// Follow returns a reader of the commits from from+1 on. At any level it shows only durable commits, so that a number it has shown
// means the same commit for ever. From the first call on the store keeps the last Options.TailBytes of the log in memory. The
// follower reads older commits from Pebble, until a snapshot cuts the log: see Options.RetainBytes. Errors: ErrFutureSeq, ErrClosed. O(1).
func (s *Store) Follow(from uint64) (*Follower, error) { return follower(s.log.Follow(from)) }

// KeepTail makes the store keep the last commits in memory from now on, as Follow does. O(1).
func (s *Store) KeepTail() { s.log.KeepTail() }

// Followed reports whether commits are kept for followers: Follow or KeepTail was called, or Options.RetainBytes is above 0. O(1).
func (s *Store) Followed() bool { return s.log.Followed() }

// Follower reads a log commit by commit, from a given number on. The log keeps nothing for it. It is for one goroutine.
type Follower struct{ f *commitlog.Follower }

func follower(f *commitlog.Follower, err error) (*Follower, error) {
	if err != nil {
		return nil, err
	}
	return &Follower{f}, nil
}

// More returns a channel that is closed when there is a new commit, or when the log ends. Call More before Next. If Next returns 0,
// wait for the channel. O(1).
func (f *Follower) More() <-chan struct{} { return f.f.More() }

// Next calls fn with each effect of the next commit and returns the number of the commit; 0: there is none yet. It does not wait. A
// commit of private keys only has no effects. fn must not change Member and Value, nor keep them for long: all followers share their
// memory. Errors: ErrFellBehind, as a *wal.FellBehindError; ErrCorrupt; ErrClosed; ErrPersistence once all durable commits have been
// shown; that of fn. After an error of fn the next call shows the same commit again. O(len).
func (f *Follower) Next(fn func(wal.Effect) error) (seq uint64, err error) { return f.f.Next(fn) }

// NextNotes is Next for the notes of the commit only. It decodes nothing else. O(notes).
func (f *Follower) NextNotes(fn func(note []byte) error) (seq uint64, err error) {
	return f.f.NextNotes(fn)
}

// MemLog numbers commits where nothing is stored, and shows the last ones to followers. Its methods may be called from any
// goroutine.
type MemLog struct{ l *commitlog.MemLog }

// NewMemLog returns a log that keeps the last commits, up to the given number of bytes. It starts keeping them at the first Follow or
// Keep.
func NewMemLog(bytes int) *MemLog { return &MemLog{commitlog.NewMemLog(bytes)} }

// Count gives a commit the next number until the first Follow or Keep. From then on it returns false, and the caller calls Append.
// O(1).
func (l *MemLog) Count() (seq uint64, ok bool) { return l.l.Count() }

// Append gives the commit the next number and keeps a copy of it for followers. For an empty batch it returns 0. Callers that hold
// the locks of the sets they change get their order in the log. Private keys are not kept. O(len), amortised.
func (l *MemLog) Append(b *Batch) (seq uint64) { return l.l.Append(&b.b) }

// Keep makes the log keep every commit from now on, as Follow does. O(1).
func (l *MemLog) Keep() { l.l.Keep() }

// ID returns a random number, so that positions in other logs can be told apart. O(1).
func (l *MemLog) ID() uint64 { return l.l.ID() }

// LastSeq returns the number of the last commit; 0 is none. O(1).
func (l *MemLog) LastSeq() uint64 { return l.l.LastSeq() }

// Follow returns a reader of the commits from from+1 on. The log has only the last commits, and none from before the first call of
// Follow or Keep. Errors: ErrFutureSeq. O(1).
func (l *MemLog) Follow(from uint64) (*Follower, error) { return follower(l.l.Follow(from)) }

// Bulk waits for the commits of a caller that appends many, one after the other. It is for one goroutine.
type Bulk struct{ b *commitlog.Bulk }

// Bulk returns what waits for the commits of a caller that appends many, one after the other, such as those of a big set, and gives way to
// other commits in between. The caller calls its Wait after each Append, in place of the store's. O(1).
func (s *Store) Bulk() *Bulk { return &Bulk{s.log.NewBulk()} }

// Wait is Store.Wait, and then gives way to other commits. At levels at which those do not wait for the disk it first waits until the
// commit is in Pebble, and Pebble not far behind: otherwise the caller would fill the queue, and everybody's commits would wait for room
// in it. size is the size of the commit, in bytes.
func (b *Bulk) Wait(ctx context.Context, seq uint64, size int) error {
	return b.b.Wait(ctx, seq, size)
}

package ranking

import (
	"context"
	"hash/fnv"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// Source supplies the set of a ranking. The set has the form of the board's rules, so ranks of the set from 0 are places from 1.
type Source interface {
	// Open fills in the set as it is until Close. After an error the caller must not call Close.
	Open(ctx context.Context, o *Opened) error
	// Close ends a read that Open has begun.
	Close(o *Opened)
	// Copy returns a copy of the set, and the vacancies that it has. Meta reads the metadata of the members from now on.
	Copy(ctx context.Context) (Copied, error)
}

// Tailed is a Source of the best members of a period that knows the others too.
type Tailed interface {
	// OpenOther fills in the set that a member is in if it is not among the best, as Open does. ok is false if that is not known at the moment; then
	// the caller must not call Close.
	OpenOther(ctx context.Context, member string, o *Opened) (ok bool, err error)
	// Beyond calls found with the set of the best members, and with one that has the entry of a member if it is not in the first. Both stay as they
	// are until found returns. It is not called with a look open.
	Beyond(ctx context.Context, member string, found func(o Opened, other *zset.IntView) error) error
	// HasPlaces reports whether it counts the others, so that Ahead may know something.
	HasPlaces() bool
	// Ahead returns how many members come before a place that all members of the head come before. ok is false while that is not known. The set with the
	// entry at the place is open. O(log segments).
	Ahead(p Place) (a Ahead, ok bool)
}

// Place is a place in a ranking.
type Place struct {
	Score       int64
	Tie, Member []byte
	Side        Side
}

// Side says which place of an entry, or of the entries that begin with a score and a tie, is meant.
type Side int

const (
	Own    Side = iota // that of an entry that is not one of the head
	Before             // before the entries that begin so
	Behind             // behind them
)

// Ahead is how many members come before a place: those of the head, which are the best members and perhaps some more, and of the others at least Least
// and at most Most.
type Ahead struct{ Head, Least, Most int }

// MetaOf returns the metadata of a ranked member, which the caller may keep; nil for none. A nil MetaOf means that no member has any.
type MetaOf func(ctx context.Context, member string) ([]byte, error)

// Opened is the set of a Source during one read.
type Opened struct {
	Brief     bool // set before Open: the read ends soon and runs nothing of the caller
	Top       int  // the ranking is the first Top entries of Set; 0: all of them
	Set       *zset.IntView
	Parts     *Parts    // the ranking, if it is in parts; then Set is nil
	Sets      Sets      // the ranking, if another store has it; then Set and Parts are nil
	Vacancies Vacancies // of a closed ranking
	Meta      MetaOf
	Tx        *engine.Tx // keeps the set unchanged; nil if nobody changes it
}

// Copied is a copy of the set of a Source. The caller owns it.
type Copied struct {
	Set       *zset.IntSet
	Vacancies Vacancies
	Meta      MetaOf
}

// view returns what was opened.
func (o *Opened) view() view {
	return view{o.Set, o.Parts, o.Sets}
}

// Subject is the set that a ranking is of.
type Subject struct {
	Source
	id   uint64            // is in each cursor: see ID
	info func() board.Info // without Mode
}

// NewSubject returns the subject of a source. Its cursors are valid for every ranking with the same key; a migration changes the key.
// Ranking.Info calls info.
func NewSubject(src Source, key string, info func() board.Info) Subject {
	return Subject{src, ID(key), info}
}

// ID returns the id of a ranking, which its cursors contain: a hash of its key.
func ID(key string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key)) // never fails
	return h.Sum64()
}

// LiveWindow supplies the live period of a window.
type LiveWindow interface {
	// Subject returns the period that is live now. Errors: those of Ranking for Board.Live.
	Subject() (*Subject, error)
	// Info describes the window while no period is live.
	Info() board.Info
	// Earlier returns the name of the period before the live one whose ranking has an id, and false if there is none among the last 100.
	Earlier(id uint64) (period string, ok bool)
}

// viewSource is the source of a ranking in a View.
type viewSource struct {
	Opened // its Set and Parts are nil when View has returned
}

func (s *viewSource) Open(ctx context.Context, o *Opened) error {
	if s.isDone() {
		return board.ErrViewDone
	}
	if *o = s.Opened; s.Parts != nil {
		s.Parts.place = -1 // a transaction of the caller's may have changed the sets since the last read
	}
	return nil
}

func (s *viewSource) Close(*Opened) {}

// isDone reports whether View has returned.
func (s *viewSource) isDone() bool { return s.Set == nil && s.Parts == nil && s.Sets == nil }

func (s *viewSource) Copy(ctx context.Context) (c Copied, err error) {
	if s.isDone() {
		return c, board.ErrViewDone
	}
	if err := ctx.Err(); err != nil {
		return c, err
	}
	v := s.view()
	return Copied{Set: v.Copy(), Vacancies: s.Vacancies}, nil
}

// pinnedSource is the source of a pinned ranking: a set that does not change.
type pinnedSource Opened

func (s *pinnedSource) Open(ctx context.Context, o *Opened) error {
	*o = Opened(*s)
	return nil
}

func (s *pinnedSource) Close(*Opened) {}

func (s *pinnedSource) Copy(context.Context) (Copied, error) {
	return Copied{s.Set.Copy(), s.Vacancies, s.Meta}, nil
}

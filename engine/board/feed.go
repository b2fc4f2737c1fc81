package board

import (
	"context"
	"iter"

	"github.com/zrankdb/zrank/engine/board/internal/feed"
	"github.com/zrankdb/zrank/engine/board/internal/submit"
)

// EventKind says what has happened: see "Feed".
type EventKind = feed.Kind

// The kinds of events.
const (
	EventSubmitted      = feed.Submitted
	EventOvertaken      = feed.Overtaken
	EventEnteredTop     = feed.EnteredTop
	EventLeftTop        = feed.LeftTop
	EventNewLeader      = feed.NewLeader
	EventPersonalRecord = feed.PersonalRecord
	EventPeriodOpened   = feed.PeriodOpened
	EventPeriodClosed   = feed.PeriodClosed
	EventSettled        = feed.Settled
	EventGranted        = feed.Granted
	EventClaimed        = feed.Claimed
	EventBanned         = feed.Banned
	EventUnbanned       = feed.Unbanned
	EventHidden         = feed.Hidden
	EventShown          = feed.Shown
	EventErased         = feed.Erased
	EventRenamed        = feed.Renamed
	EventMerged         = feed.Merged
	EventRemoved        = feed.Removed
	EventReverted       = feed.Reverted
	EventCorrected      = feed.Corrected
	EventJoined         = feed.Joined
	EventLeft           = feed.Left
	EventPromoted       = feed.Promoted
	EventRelegated      = feed.Relegated
)

// EventKinds returns all kinds of events.
func EventKinds() []EventKind { return feed.Kinds() }

// ParseEventKind returns the kind with a name, such as "overtaken". Error: ErrEventKind.
func ParseEventKind(name string) (EventKind, error) { return feed.ParseKind(name) }

// Event is something that has happened on a board: see "Feed" for the fields that each kind has.
//
//	Position        Position   behind the event: a feed after it goes on with the next one
//	Kind            EventKind
//	Board           string
//	Window, Period  string
//	Member          string     whom the event is about
//	At              time.Time  when it happened, by the engine's clock
//	By              string     who has caused it: a member, or who has moderated
//	Other           string     another member
//	Rank, Before    int        ordinal ranks of Member now and before, from 1; 0: it has none
//	Score, Was      Score      of Member now and before
//	Groups, Group   string     a kind of groups, and one of them
//	Award           string     an award's id
//	Count           int
//	Audit           uint64     the number of an entry of the audit log
type Event = feed.Event

// Position is a place between two events of a feed. The zero Position is before the oldest event that is there. As text, and in JSON, it is String.
//
//	Store   uint64  which store it is of
//	Commit  uint64  a commit
//	Index   int     the number of events of the commit that are before it
type Position = feed.Position

// ParsePosition is the inverse of Position.String. Error: ErrPosition.
func ParsePosition(text string) (Position, error) { return feed.ParsePosition(text) }

// FeedFilter chooses events. An event must pass every list that is not empty.
//
//	Boards   []string     the board is one of these
//	Windows  []string     the event is of a window, one of these
//	Members  []string     Event.Member is one of these
//	Kinds    []EventKind
type FeedFilter = feed.Filter

// FeedBehindError says that a feed asks for events that are not there any more. A feed after Oldest has all that are. errors.Is(err, engine.ErrFellBehind) holds.
//
//	After, Oldest  Position
type FeedBehindError = feed.BehindError

// Feed yields the events after a position that pass the filter, in the order of commits, and waits for further ones: see "Feed". A feed after the Position of the
// last event that was yielded yields exactly the rest, also after a restart. It ends when the caller leaves the loop, and otherwise with one error: that of ctx,
// ErrClosed; ErrEventKind; ErrPosition for a position of another store, ErrFuture for one behind the end; a *FeedBehindError; engine.ErrInTx; those of
// engine.Engine.Feed.
//
// The feed goes through the log in blocks of some hundred commits. All feeds of the boards share the newest ones. O(1) for a block in which no event can pass the filter, as
// its summary says, and else O(events of the block).
func (bs *Boards) Feed(ctx context.Context, after Position, filter FeedFilter) iter.Seq2[Event, error] {
	return bs.catalog.Feed(ctx, after, filter, true)
}

// Events is Feed of the events that are there: it ends without an error where Feed would wait.
func (bs *Boards) Events(ctx context.Context, after Position, filter FeedFilter) iter.Seq2[Event, error] {
	return bs.catalog.Feed(ctx, after, filter, false)
}

// FeedEnd returns the position behind all events of now, for a feed of what comes. O(1). Error: ErrClosed.
func (bs *Boards) FeedEnd() (Position, error) { return bs.catalog.FeedEnd() }

// Watch makes the board write an EventOvertaken whenever somebody overtakes the member, at any place, and not among the first places of Spec.Feed only. It stays
// so until Unwatch, across restarts. Errors: ErrMember, ErrClosed, ErrNoBoard, engine.ErrInTx, those of the engine.
func (b *Board) Watch(member string) error { return submit.Watch(b.core(), member, true) }

// Unwatch ends what Watch has begun. Errors: as Watch.
func (b *Board) Unwatch(member string) error { return submit.Watch(b.core(), member, false) }

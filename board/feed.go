package board

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// EventKind says what has happened: see "Feed".
type EventKind uint8

// Validate returns ErrEventKind for a number that no kind has.
func (k EventKind) Validate() error {
	if !k.isKnown() {
		return fmt.Errorf("%w: %v", ErrEventKind, k)
	}
	return nil
}

func (k EventKind) isKnown() bool { return k >= EventSubmitted && int(k) < len(kindNames) }

// String returns the name of a kind, such as "overtaken".
func (k EventKind) String() string {
	if k.isKnown() {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// MarshalText returns the name of a kind.
func (k EventKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText is the inverse. Error: ErrEventKind.
func (k *EventKind) UnmarshalText(text []byte) (err error) {
	*k, err = ParseEventKind(string(text))
	return err
}

// The kinds of events.
const (
	EventSubmitted EventKind = 1 + iota
	EventOvertaken
	EventEnteredTop
	EventLeftTop
	EventNewLeader
	EventPersonalRecord
	EventPeriodOpened
	EventPeriodClosed
	EventSettled
	EventGranted
	EventClaimed
	EventBanned
	EventUnbanned
	EventHidden
	EventShown
	EventErased
	EventRenamed
	EventMerged
	EventRemoved
	EventReverted
	EventCorrected
	EventJoined
	EventLeft
	EventPromoted
	EventRelegated
)

// Event is something that has happened on a board: see "Feed" for the fields that each kind has.
type Event struct {
	Position Position    `json:"position"`         // behind this event: a feed after it goes on with the next one
	Kind     EventKind   `json:"kind"`             // what has happened
	Board    string      `json:"board"`            // the board's name; "" where it is about none
	Window   string      `json:"window,omitempty"` // the window's name
	Period   string      `json:"period,omitempty"` // the period's name
	Member   string      `json:"member,omitempty"` // whom the event is about
	At       time.Time   `json:"at"`               // when it happened by the engine's clock, to the microsecond
	By       string      `json:"by,omitempty"`     // the member that has caused it, or the operator
	Other    string      `json:"other,omitempty"`  // another member: the leader before, the new name
	Rank     int         `json:"rank,omitempty"`   // of the member now, from 1; 0: none
	Before   int         `json:"before,omitempty"` // its rank before
	Score    rules.Score `json:"score,omitzero"`   // of the member now
	Was      rules.Score `json:"was,omitzero"`     // its score before
	Groups   string      `json:"groups,omitempty"` // a kind of groups
	Group    string      `json:"group,omitempty"`  // one of them
	Award    string      `json:"award,omitempty"`  // an award's id
	Count    int         `json:"count,omitempty"`  // of members or awards
	Audit    uint64      `json:"audit,omitempty"`  // the number of an entry in the audit log
}

// EventKinds returns all kinds of events.
func EventKinds() []EventKind {
	kinds := make([]EventKind, 0, len(kindNames)-1)
	for k := EventSubmitted; k.isKnown(); k++ {
		kinds = append(kinds, k)
	}
	return kinds
}

// ParseEventKind returns the kind with a name, such as "overtaken". Error: ErrEventKind.
func ParseEventKind(name string) (EventKind, error) {
	if i := slices.Index(kindNames[:], name); i > 0 {
		return EventKind(i), nil
	}
	return 0, fmt.Errorf("%w: %.64q", ErrEventKind, name)
}

var kindNames = [...]string{EventSubmitted: "submitted", EventOvertaken: "overtaken", EventEnteredTop: "entered", EventLeftTop: "left-top", EventNewLeader: "leader",
	EventPersonalRecord: "record", EventPeriodOpened: "opened", EventPeriodClosed: "closed", EventSettled: "settled", EventGranted: "granted", EventClaimed: "claimed",
	EventBanned: "banned", EventUnbanned: "unbanned", EventHidden: "hidden", EventShown: "shown", EventErased: "erased", EventRenamed: "renamed", EventMerged: "merged",
	EventRemoved: "removed", EventReverted: "reverted", EventCorrected: "corrected", EventJoined: "joined", EventLeft: "left", EventPromoted: "promoted", EventRelegated: "relegated"}

// Position is a place between two events of a feed. The zero Position is before the oldest event that is there. As text, and in JSON, it is String.
type Position struct {
	Store  uint64 // which store it is of; 0 in the zero Position
	Commit uint64 // a commit, from 1
	Index  int    // the number of the notes of Commit that are before the position; not all of them: then it is before the next commit
}

// String returns the position as text, "" for the zero Position.
func (p Position) String() string {
	if p == (Position{}) {
		return ""
	}
	return fmt.Sprintf("%016x-%d-%d", p.Store, p.Commit, p.Index)
}

// Compare returns which of two positions of a store comes first, as cmp.Compare.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.Commit, q.Commit), cmp.Compare(p.Index, q.Index))
}

// MarshalText returns String.
func (p Position) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText is ParsePosition.
func (p *Position) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePosition(string(text))
	return err
}

// ParsePosition is the inverse of Position.String. Error: ErrPosition.
func ParsePosition(text string) (p Position, err error) {
	if text == "" {
		return p, nil
	}
	fail := fmt.Errorf("%w: %.64q", ErrPosition, text)
	list := strings.Split(text, "-")
	if len(list) != 3 {
		return Position{}, fail
	}
	var bad [3]error
	p.Store, bad[0] = strconv.ParseUint(list[0], 16, 64)
	p.Commit, bad[1] = strconv.ParseUint(list[1], 10, 64)
	p.Index, bad[2] = strconv.Atoi(list[2])
	if cmp.Or(bad[:]...) != nil || p.String() != text || p.Commit == 0 || p.Index < 0 {
		return Position{}, fail
	}
	return p, nil
}

// FeedFilter chooses events. An event must pass every list that is not empty.
type FeedFilter struct {
	Boards  []string    // names of boards
	Windows []string    // names of windows; an event of no window does not pass a list
	Members []string    // the member that the event is about
	Kinds   []EventKind // kinds of events
}

// FeedBehindError says that a feed asks for events that are not there any more. A feed after Oldest has all that are. errors.Is(err, ErrFellBehind) holds.
type FeedBehindError struct {
	After  Position // the position that was asked for, or that the feed has come to
	Oldest Position // before the oldest events that are there
}

// Error says from where to where.
func (e *FeedBehindError) Error() string {
	return fmt.Sprintf("%v: it is at %v, and the oldest events are after %v", ErrFellBehind, e.After, e.Oldest)
}

// Unwrap returns ErrFellBehind.
func (e *FeedBehindError) Unwrap() error { return ErrFellBehind }

// Feeder has a feed of what happens on boards.
type Feeder interface {
	// Feed yields the events after a position that pass the filter, in the order of commits, and waits
	// for further ones: see the package. A feed after the Position of the last event that was yielded
	// yields exactly the rest, also after a restart.
	Feed(ctx context.Context, after Position, filter FeedFilter) iter.Seq2[Event, error]
	// Events is Feed of the events that are there: it ends without an error where Feed would wait.
	Events(ctx context.Context, after Position, filter FeedFilter) iter.Seq2[Event, error]
	// FeedEnd returns the position behind all events that a feed can have yielded by now, for a feed
	// of what comes. It may be stored: no crash takes a commit before it. Events of commits that are
	// not durable yet come behind it. O(1).
	FeedEnd(ctx context.Context) (Position, error)
	// LastCommit returns the number of the last commit of the engine. Reads that begin afterwards see
	// that commit, which may not be durable yet: after a crash another commit can get its number.
	// O(1).
	LastCommit(ctx context.Context) (uint64, error)
}

// Watcher makes the feed say more of some members.
type Watcher interface {
	// Watch makes the board write an EventOvertaken whenever somebody overtakes the member, at any
	// place, and not among the first places of Spec.Feed only. It stays so until Unwatch, across
	// restarts.
	Watch(ctx context.Context, member string) error
	// Unwatch ends what Watch has begun. Errors: as Watch.
	Unwatch(ctx context.Context, member string) error
}

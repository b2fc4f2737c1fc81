// Package feed has the events of boards: what has happened, to whom, and at which position of the feed.
//
// With Spec.Feed a board writes what happens on it into the commits that cause it. Boards.Feed reads
// these events, of all boards, in the order of commits:
//
//	filter := feed.Filter{Kinds: []feed.Kind{feed.Overtaken}}
//	for e, err := range boards.Feed(ctx, last, filter) { ... last = e.Position ... }
//
// # Kinds
//
// The kinds of events, and their fields besides Window and Period:
//
//	submitted   a submission has changed the entry of Member in a window: Score, Was, Rank, Before
//	record      it has improved the entry that Member had: the same fields
//	overtaken   By stands before Member, which stood before By: Member's Rank, Before and Score
//	entered     Member is among the first places, and was not: Rank, Before
//	left-top    the reverse; By is the member that has come in its place
//	leader      Member is first, and was not; Other was
//	opened      the ranking of a period has got its first member
//	closed      a period is closed: Count members
//	settled     its awards are settled: Count awards
//	granted     an Award has been granted to Member; claimed: Member has claimed it. Rank is that of the award
//	promoted, relegated   Member has gone up or down, and is in the tier Group by now
//	removed     Member was removed from a window: Was, Before
//	banned, unbanned, hidden, shown, erased, renamed, merged, reverted, corrected   an entry of the audit log, whose number is Audit, by By. Other is the
//	            new name, or whom Member was merged into; Count the number of reverted rows
//
// # What it promises, and what it costs
//
//   - An event is durable with what it tells of, and there is none of what was rolled back. Writers never wait for feeds. A Position may be kept outside of the
//     process; after a restart it is before the same events. Restore and Salvage make another store, whose positions are others.
//   - Events are in the log only. A snapshot cuts the log; engine.Options.FeedLogBytes says how much of it stays for a feed that was away. One that asks for
//     more gets a *BehindError. In memory only engine.Options.FeedBytes of commits are kept, and positions end with the engine.
//   - board.Feed.Top is the number of first places that leader, entered, left-top and overtaken are about, by ordinal ranks. A member that watches (Board.Watch) is told
//     of everybody who overtakes it anywhere; on a board of the best n, among these.
//   - A submission that changes nothing writes nothing, nor does one that is skipped, or of a hidden member: nobody learns of it. Show, Hide, Ban, Erase, Rename, Merge
//     and Revert write who has come to the first places and left them by it, in open periods; in closed ones nothing but their own event. Merge leaves Before
//     of entered and Rank of left-top 0.
//   - Results leave a rolling window by themselves, without events; what that does to groups
//     (board.Derived) is told as any other change of theirs. The events of submissions there
//     compare the rankings right before and right after them.
//   - An erased member is named in no event of its erasure. Earlier events are in the log until it is cut; Engine.Compact cuts it.
//   - Migrate changes Feed without another version. Boards in parts have none: they count ranks after the commit.
//   - Cost: an event takes about 40 bytes in the log, beside names. All readers share the work of looking at events, so
//     that a hundred of them with filters cost little more than one; a reader makes the events that pass its filter.
//
// # Where things are
//
//	event.go     Event, Filter
//	kind.go      Kind and its names
//	position.go  Position: a place between two events, and its text; BehindError
//	json.go      the JSON of an Event
//	errors.go    what can be wrong with a kind and a position
package feed

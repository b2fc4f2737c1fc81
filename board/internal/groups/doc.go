// Package groups changes groups and their members: who founds them, joins them and leaves them, and what that does to derived boards.
//
// What is stored of a kind of groups is under private keys; Membership has the copy in memory. A change is one function, which runs in a transaction of its own
// or in one of the caller's. It changes both, and the entries of groups on derived boards in all open periods, in one commit.
//
// A transaction has the lock of each member that it moves or asks for, and of each group that it makes, changes, dissolves or asks for, or whose members it moves. These
// are keys of sets that there never are, so the engine orders them like sets: nothing deadlocks, and a transaction that cannot have one now restarts with it.
//
//   - GR1: a member is in one group of a kind at most.
//   - GR2: after every commit the score of a group on a derived board follows from the members that the kind has then: see Derived boards below.
//   - GR3: a group that is dissolved leaves all open periods by one commit. The keys of its members go after that, some in each commit, or when the boards are opened
//     again.
//
// # Derived boards
//
// A transaction that changes the entry of a member in an open period tells Observer, which changes the entry of the member's group on each board that
// follows, and so on upwards. So a group's score is that of its members after every commit.
//
//   - FO1: an open period of a derived board is open as long as that of the board which it follows, and both have the same name and times.
//   - FO2: in an open period each group has the score that package totals gives for the entries of its members in the ranking of the board which is
//     followed, and for what is stored of their points. A group without a member that has a score has no entry.
//   - FO3: a group with less members that have a score than Derived.Least has its entry in the set beside the ranking.
//   - FO4: with Points other than Follow, what is stored of the points of a member under the private key of its points says, by the number of a group, which
//     part of its score does not count for the group that it is in (its base), and what it has left to others. The base goes with the entry: a member that has no
//     entry, hidden or not, has no base. What was left goes with the membership.
//
// Results that leave a rolling window are changes too, so its groups follow (package rolling).
// There is no Points but Follow there: a base would be the sum of results that leave one by one,
// and nothing stores which of them it has. Nobody can refuse that a result leaves, so a sum or an
// average that is out of range is at that end of the range; as long as it is there, a change
// computes it from all members.
//
// Hidden members are not ranked, so their points count for no group.
//
// # Closed periods
//
// What moderation does to a closed period of the members reaches those that follow it, in the same commit: see Observer, and Source.Recompute for a whole period. Members count there for
// the groups in which they were when it closed.
//
//   - CL1: Closing stores nothing of members. A transaction that moves a member after a period has closed stores where the member was until then (catalog.Stay), unless it has since that
//     closing; in a group that was dissolved after it, whoever forgets the members of the group stores it. So the group of a closed period is that of the first stay which ended after
//     the closing, or else the present one.
//   - CL2: A transaction that has locked the sets of open periods decides once which of them take results (catalog.Moment). It moves the member in these, and stores with a stay
//     which ones they are not. So no clock and no order of commits decides what a stay was in time for.
//   - CL3: A derived board has a number, and its stays name it (catalog.Since): so those of a dropped board of the same name do not count. Boards of earlier versions, and those that have
//     come from elsewhere, have one since they were opened or came, and nothing is known of periods before.
//   - CL4: A member that is renamed in a closed period takes its group of then along, under a private key of that period.
//   - CL5: What no kept period needs of stays and of dissolved groups is deleted in the background, after a period or a board was dropped.
//
// # Where things are
//
//	define.go    Define: kinds of groups
//	change.go    Change: a change in a transaction of its own, or in one of the caller's
//	move.go      moving: the change of members that go from one group to another
//	join.go      Join, JoinAll, Move, Leave
//	rename.go    Rename: a member takes the place of another one
//	group.go     Create, SetMeta, Info, All: groups
//	dissolve.go  Dissolve
//	erase.go     Erase
//	inner.go     the ranking of the members of one group
//	in_tx.go     InTx: reads in a transaction of the caller's; Dissolve there
//	follow.go   Observer: a change of a member reaches its group
//	follow_period.go  period: the period of a derived board in a transaction, and the entry of a group there
//	follow_points.go  what is stored of the points of a member, in a transaction
//	follow_source.go  Source: an open period that is followed, with what follows it
//	follow_move.go    a member joins a group, leaves it, or has another name there; a group is dissolved
//	follow_then.go    who was in which group when a period closed
//	follow_closed.go  a closed period computed again
//	past.go     what is stored of the groups that members were in before
//	follow_compute.go the rankings of a derived board computed from its source: Fill, Rebuild
package groups

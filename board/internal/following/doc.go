// Package following makes derived boards follow those of the members of their groups.
//
// A transaction that changes the entry of a member in an open period says so to Apply, which changes the entry of the member's group on each board that
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
// Hidden members are not ranked, so their points count for no group. A closed period of a derived board changes no more: what moderation does to closed
// periods of the members does not reach it, because nothing stores who was in which group when it was closed. An operator who knows that members are where they were may have it
// computed again: see Source.Recompute.
//
// # Where things are
//
//	change.go  Change: what a transaction does to the entry of a member; Moves: to the groups of members
//	apply.go   Apply: a change of a member reaches its group; the keys that it needs; Forget
//	period.go  period: the period of a derived board in a transaction, and the entry of a group there
//	points.go  what is stored of the points of a member, in a transaction
//	source.go  Source: an open period that is followed, with what follows it
//	move.go    a member joins a group, leaves it, or has another name there; a group is dissolved
//	closed.go  a closed period computed again
//	compute.go the rankings of a derived board computed from its source: Fill, Rebuild
package following

// Package totals computes the scores of groups from those of their members. It is pure: it knows no engine and no clock.
//
// The score of a group has the sums of its members' scores, or the best of them, and the number of members. So a change of one member changes it without a
// look at the others, unless the operator goes by the best members.
//
//   - TO1: the score of a group is a function of the scores of its members, whatever the order in which they came and went.
//   - TO2: a score that is out of the range of int64 is an error, and in a rolling window the end
//     of the range (Totals.In); sums on the way to it may be out of that range. No sum is rounded.
//     An average is rounded once, to the decimals of its column.
//
// # Where things are
//
//	totals.go  Totals: the rules of one board of groups; Total: what a group has
//	wide.go    sums of 128 bits
//	score.go   the score of a Total, and the other way round; Tally: the score of a group from those of all members
//	tallies.go Tallies: those of all groups
//	points.go  Points: what is stored of the points of a member
package totals

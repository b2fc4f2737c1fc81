// Package membership keeps in memory which groups there are of a kind, and which member is in which of them. A member is in one group of a kind at most.
//
// Package groups stores both under private keys. What a transaction changes, it alone sees, until the commit has its place in the log; then all others do,
// while the sets of the transaction are still locked. A transaction moves a member before it looks which periods are open, and a submission notes its
// period as open before it asks for the group of its member. So of a submission and a move at the same time one sees the other.
//
// # Invariants
//
//   - MB1: the set of members has each member of a group of the kind once, and its score is the number of the group. It may have members of a group that is
//     gone, which are in no group.
//   - MB2: numbers of groups are never used again.
//   - MB3: at most one transaction moves a member, or dissolves a group, at a time: it has the lock of that.
//
// # Where things are
//
//	kind.go     Kind: lookups
//	members.go  the members of a group
//	change.go   Changes: what a transaction changes
package membership

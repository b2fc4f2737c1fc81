// Package membership keeps in memory which groups there are of a kind, and which member is in which of them. A member is in one group of a kind at most.
//
// Package groups stores both under private keys, and changes this copy around its commits. A change of a member begins before its transaction looks which
// periods are open, and a submission notes its period as open before it asks for the group of its member. So of a submission and a change at the same time
// one sees the other.
//
// # Invariants
//
//   - MB1: the set of members has each member of a group of the kind once, and its score is the number of the group. It may have members of a group that is
//     gone, which are in no group.
//   - MB2: numbers of groups are never used again.
//
// # Where things are
//
//	kind.go     Kind: lookups
//	change.go   changes of a member, and of a group
package membership

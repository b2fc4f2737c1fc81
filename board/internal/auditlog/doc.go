// Package auditlog keeps the audit log of a board: who changed what of which member, when and why.
//
//   - AL1: an entry is written by the commit that makes its change, or begins it; the places that later commits of the same change touch are
//     added to the entry by those commits.
//   - AL2: entries of a board are numbered 1, 2, ... in the order of their commits, and never change but for two reasons: places are added to
//     one whose change is in progress, and the name of a member that is erased is replaced by a salted hash.
//
// # Where things are
//
//	entry.go    the stored form of an entry
//	hash.go     the salted hash of a member
//	log.go      Add, Restore, AddPlaces, Get
//	read.go     All: the entries that a filter selects
//	forget.go   forgetting a name
//	renames.go  what the log says of members that were renamed
package auditlog

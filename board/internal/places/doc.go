// Package places is the index of members: which closed periods of a board have a member, at which place and with which entry.
//
// The index has one private key for each place of a closed period. It is written in the background after the period was closed, by commits of their
// own, so a submission pays nothing for it. After each commit the writer rests for as long as it has worked. Open periods are not indexed: there are few of them, and each finds a member in O(1).
//
//   - PL1: if the record of a closed period says that it is indexed, the index has exactly the members of the period, the hidden ones too, each with its entry.
//   - PL2: the place of a member is the indexed one less the number of removed places before it (Record.Removed).
//   - PL3: the index may have places of periods whose record does not say so: they are not used, and written again before they are.
//   - PL4: only moderation changes a closed period, by commits that change its record and its index too.
//
// The key of a place has an id of the member in place of its name: see boardkey.MemberID.
//
// # Where things are
//
//	place.go  Place, and its stored form
//	read.go   the places of a member
//	index.go  All: writing the places of closed periods. Package deletion deletes those of dropped ones
package places

// Package deletion deletes the sets and private keys of boards, windows and periods.
//
// A deletion may be too large for one commit. So the commit that removes a board, a window or a period also stores an intent. Finish then
// deletes the sets and private keys in many commits, and the intent in the last one. After a crash or on a full disk, Resume
// repeats the deletions whose intents are still stored. Both are idempotent.
//
// # Where things are
//
//	steps.go    Deleter: deleting many sets or private keys
//	places.go   deleting a set of a ranking, and its members from the index of members
//	deleter.go  Finish, Resume
package deletion

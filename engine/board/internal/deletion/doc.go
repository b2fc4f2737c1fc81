// Package deletion deletes the sets and private keys of boards, windows and periods.
//
// What there is to delete may be too much for one commit. So a commit that takes a board, a window or a period away stores an intent in the
// same commit. Finish then deletes the rest in many commits, and the intent in the last one. After a crash or on a full disk, Resume
// repeats the deletions whose intents are still stored. Both are idempotent.
//
// # Where things are
//
//	deleter.go  Deleter: Finish, Resume, and deletions in steps
package deletion

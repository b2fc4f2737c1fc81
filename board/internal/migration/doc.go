// Package migration gives a board another spec.
//
// It writes every ranking that the board keeps under the new rules beside the old one, and then commits the new spec: a crash leaves the board
// as it was before or as it is after. Submissions wait until then; reads continue. The records of closed periods get the digests of their new
// rankings, so that a check can still compare them. Boards that follow it get the windows that change by the same commit.
//
// # Where things are
//
//	migrate.go  Migrate: copies, the commit, deletion of the old sets
//	copy.go     copier: one ranking under the new rules, and its vacancies
//	seal.go     digests of closed periods
package migration

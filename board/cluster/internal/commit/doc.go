// Package commit changes what the servers have of a board. Each change is a script in one partition, which makes all of it or nothing.
//
// # Where things are
//
//	commit.go   Commit: a change of members; Writer.Make, and the Reply
//	counts.go   Counts: what ranks follow from
//	partial.go  Writer's other changes: closing, baselines, the audit log, holding a member
//	writer.go   Writer; changes wait while the board is being moved
//	define.go   Define: a new board
//	held.go     WhileHeld: waiting for an operator's call
//	script.go   the scripts
package commit

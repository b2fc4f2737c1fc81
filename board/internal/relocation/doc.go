// Package relocation moves a board from one store to another one while it is in use: from an engine to a cluster, and back.
//
// # How a board moves
//
//  1. The target makes a board that nobody sees yet, and the source begins to note which members change.
//  2. Every period is copied, the closed ones too, and the Once keys. Then the members that have changed meanwhile are copied again, until they are few.
//  3. Every entry is compared with the source.
//  4. The source holds its changes: they wait. What has changed since is copied and compared, and the numbers of members of all periods are compared.
//  5. The source stores that the board leaves. From now on it refuses every call with a *errs.RelocatedError, after a restart too.
//  6. The target opens the board, and the source stores that it has left.
//
// If the source does not know all changes any more, in step 4 too, the move begins again at step 2, twice at most.
//
// # Invariants
//
//   - RL1: until step 5 the board is the source's, and what the target has of it may be thrown away. So a move that fails or is killed has changed nothing.
//   - RL2: at any moment at most one of the two accepts changes. Between steps 5 and 6 none does; whoever repeats the move does step 6.
//   - RL3: what step 6 opens has all that the source has acknowledged: entries with their order, results that the operator keeps, metadata, which periods are
//     closed and since when, Once keys with the times of their use, who is hidden and banned, the audit log.
//
// # Where things are
//
//	run.go       Run: the steps
//	copying.go   copying and comparing
//	store.go     Store, Source, Target: what both ends do
//	options.go   Options, Progress, Report; the errors
//	archive.go   Archive: boards that are written to files, and made of them
//	line.go      Line: a line of such a file
//	text.go      Name and Moment: names and times in lines
//	contents.go  Entry, Header: what is copied
package relocation

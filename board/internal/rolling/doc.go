// Package rolling keeps the rankings of rolling windows: the results of the last hours, which leave one by one.
//
// # How a rolling ranking is stored
//
// Beside the set of entries, which is that of any other ranking, and that of hidden members, there are two sets:
//
//	.timers.WINDOW   one entry for each ranked member. Its score is the time at which the first of the member's results leaves, in microseconds
//	                 after 1970; its tie, 8 bytes, is the member's number.
//	.results.WINDOW  one entry for each result. Its score is the number of its member; its name is the time at which it leaves, the number
//	                 again and the result itself. So the results of a member stand together, in the order in which they leave.
//
// A submission adds its result and changes the three sets in one transaction. The first timers are those that are due. To apply one, a
// transaction removes the member's results that have left, computes its entry from those that remain, and sets its timer again: O(log n) for
// each result.
//
// Where all columns are sums, the results that leave are subtracted, and a member's results that leave at the same time are stored as one. For
// the other operators the entry is that of a single result, and a result is stored only if it may yet be the member's entry: if no result
// that leaves at the same time or later wins over it. So the first result to leave is the entry, and the next one takes its place.
//
// # Who applies what is due
//
// A step is a transaction that applies a bounded number of results. The scheduler of package closing makes steps when results are due, and
// every call that reads a ranking makes steps until none is due: no answer depends on the scheduler. Steps do not wait for the disk: after
// a crash the results that had left are due again. state.Roll knows when the next result leaves, so that a read which finds nothing due costs a
// look at the clock. A submission applies what is due in its own transaction. If that is more than a few results, it makes the steps first and
// begins again.
//
// # Observers, and boards of groups
//
// Results that leave change the entry of a member, and the observers of the board are told of that
// in the same transaction, as of any other change: a transaction that removes what is due names
// their keys for any member. So a rolling window of a derived board is a plain ranking without
// results, and follows. Who reads it first removes what is due in the window of the board that has
// the results: Settle, SettleIn and IsDue take a derived board too. Where a board has followers,
// the results of each moment leave by themselves, so that a group has come to its score at the time
// at which a result left.
//
// # Invariants
//
//   - RW1: a member is ranked, or is hidden and has an entry, if and only if it has a timer, and if and only if it has a result.
//   - RW2: the time of a timer is that at which the first of the member's results leaves.
//   - RW3: where all columns are sums, an entry is the sum of the member's results, or the end of the range next to it. Otherwise it is the
//     first result to leave.
//   - RW4: Roll.Next does not exceed the time of any timer.
//
// # Where things are
//
//	step.go    Settle, IsDue: steps, for reads and the scheduler; Next
//	sets.go    Sets: the three sets in a transaction; results as bytes; Check
//	add.go     Add, Remove: what submissions and removals change
//	move.go    Move: the results of one member given to another
//	expire.go  Expire: what leaves
//	past.go    what a journal needs to take results back
//	in_tx.go   SettleIn: what is due in a transaction of a caller's
//	late.go    results that come too late
//	stored.go  results of boards that are written to files, and made of them
package rolling

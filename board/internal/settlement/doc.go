// Package settlement gives the members of closed periods what the plans of their boards award.
//
// The commit that closes a period stores a settlement of it too, with the plan. From then on:
//
//   - Settling reads the frozen ranking and makes the set of awards: one award for each member that gets anything. The set becomes visible by one
//     commit, and only then another commit says that the period is settled. A crash before that begins the settling anew: nobody has used the set.
//   - Delivery goes through the awards by place, some in each transaction. The program's Grant runs in the same transaction that stores the
//     awards as granted. An award that fails is stored as failed, and tried again by itself, later and later.
//   - A claim does the same for one award, in a transaction of the member's.
//   - Resettle stores the next revision of the settlement. The period is then settled again: the new set of awards keeps what was granted.
//
// # Invariants
//
//   - Y1: an award's granted tiers change in the transaction of the Grant or of the claim, and in no other.
//   - Y2: while a settlement is not settled, no award of it is delivered or claimed.
//   - Y3: the stored number of waiting awards is that of the awards in the set for which there is something to grant and that are not withheld.
//   - Y4: the note of a failed or withheld award exists as long as the award is so.
//
// # Where things are
//
//	settle.go    SettleDue: making the sets of awards
//	winners.go   who gets what, of a ranking, a plan and what was granted before
//	closeup.go   ranks without some members
//	deliver.go   DeliverDue: handing awards to the program
//	retry.go     awards that have failed, tried again
//	move.go      giving the awards of a member to another one
//	erase.go     erasing a member from the awards
//	withhold.go  Withhold and Release
//	grant.go     the transactions that call Grant
//	failed.go    storing that an award has failed
//	claim.go     claims
//	resettle.go  Resettle and its dry run
//	score.go     the scores of awards
//	list.go      the awards of a period and of a member; summaries
//	load.go      reading settlements when boards are opened
//	drop.go      deleting them when periods are dropped
//	worker.go    the goroutine that settles and delivers
//	handler.go   Delivery: the program's side
//	award.go     Award
//	id.go        the id of an award
//	names.go     the names in ids, and the members that have them by now
//	work.go      a settlement of a board, found by its period or by an award
//	store.go     the first state of a settlement; changes of an award and of the number of those that wait
//	stored.go    awards for files, and of files
//	entry.go     an award as an entry of a set; what is to be granted
package settlement

// Package leagues puts the members of a board into cohorts, and promotes and relegates them when a period is closed.
//
// # How cohorts are stored
//
// Beside the ranking of a period of the leagues' window there is a set with an entry for each member that was put into a cohort. The score of the entry is
//
//	tier 5 bits | band 10 bits | sequence 32 bits | outcome 2 bits
//
// The first three are the number of the cohort. So the members of a cohort are neighbours in the set, and so are the cohorts of one tier and band. The last
// of these is the one that is being filled; its size is the difference of two ranks. The outcome is 0 until the cohort is settled, and then says whether the
// member has been promoted, relegated, or neither.
//
// A member that cannot be put into a cohort yet is in the queue of the period: alone in a cohort of
// the tier MaxTiers, which is above all that there are. The sequence is the order in which the
// members of a band came.
//
// The tiers of members are one set for all periods of the window: the score of a member is the number of its tier, from 0; there is no entry for the lowest tier. The commit
// that closes a period stores, under a private key, that its cohorts are not settled yet, and the rules by which they will be. Settling a cohort
// uses no private keys, and a submission needs none for its cohort, so they do not wait for others who use those of the board.
//
// # Invariants
//
//   - CO1: a member has one entry in the set of a period, in a cohort or in the queue. While the
//     period is open every ranked and every hidden member has one.
//   - CO2: a cohort has at most as many members as Leagues.Size says.
//   - CO3: the outcomes of a cohort and the tiers of its members change in one commit. So a cohort is settled exactly once, whoever settles it: the one
//     that finds no outcome in the first entry.
//   - CO4: a member is put into a cohort when all earlier periods are closed, none of them has it
//     in the queue or in a cohort that is not settled, and nobody else is in the queue: its tier is
//     the one that the last period has left. The transaction of the submission finds out, with the
//     set of the period locked. Otherwise it puts the member into the queue. The queue is emptied
//     when all earlier periods are settled, and before the cohorts of its period are. So it does
//     not matter who is faster, a submission or the goroutine.
//   - CO5: the key of a closed period is deleted when all of its cohorts are settled.
//   - CO6: every entry in the set of tiers has a tier above the lowest.
//
// # Where things are
//
//	worker.go  the goroutine that settles the cohorts of closed periods, and empties queues
//	due.go     SettleDue, SettleBoard: all cohorts of closed periods, in order
//	queue.go   emptying the queue of a period
//	ready.go   Ready: what a submission settles first
//	settle.go  settling one cohort
//	place.go   Observer: putting a member into a cohort or the queue; QueueAll
//	close.go   what closing a period stores; Load
//	move.go    Erase, Move, MoveTiers: a member that is erased, renamed or merged
//	read.go    Of, Promotions: reading cohorts
//	tier.go    tiers of members
//	check.go   Check, CheckTiers: the check of one set
//	window.go  the window of the leagues, and its sets
//	zones.go   who is promoted and relegated
//	number.go  numbers of cohorts and outcomes
//	stored.go  cohorts of boards that are written to files, and made of them
package leagues

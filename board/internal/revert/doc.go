// Package revert takes submissions of a member back: it gives the member the entries that it would have without them.
//
// The row of a submission in the journal has what the member had before. A revert takes that of the earliest row that it reverts, and applies the
// member's later rows again, by the rules of the board, without those that are reverted. All is one transaction, which also marks the rows and
// writes the entry of the audit log.
//
//   - RV1: after a revert every entry of the member that may change is what the member's submissions give, in the order in which they came, without
//     those that are reverted by then, from the entry before the earliest of them; a removal of the member counts as one.
//   - RV2: the entries before later rows of the member are corrected too, so that a row may be reverted after an earlier one.
//   - RV3: a row is reverted once.
//   - RV4: a closed period that is changed has its record corrected by the same commit, and is indexed again afterwards: see package places.
//
// # Where things are
//
//	revert.go  Revert: the call and its transaction
//	rows.go    which rows are reverted, and which are applied again
//	replay.go  replay: the member's entries without the reverted rows
//	spot.go    spot: the member's entry in one ranking
package revert

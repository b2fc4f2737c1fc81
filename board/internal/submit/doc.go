// Package submit changes the entries of members: submissions, metadata, removal.
//
// It keeps B1, B2, B3 and B7 of package board. A plan is a submission whose periods are known. It
// runs in one transaction over the sets of all windows, and computes all outcomes before it stores
// one.
//
// # Where things are
//
//	submit.go      One, Apply, All, In: submissions and their transactions
//	plan.go        plan: validation, periods, keys, errors
//	apply.go       what a plan does in its transaction
//	change.go      what a Change has: rows before and after
//	once.go        Once keys
//	kept.go        results that the operator keeps
//	rolling.go     rolling windows
//	tail.go        rankings of the best members; how a call begins again
//	parts.go       rankings in parts
//	journal.go     rows for the journal
//	events.go      events for feeds
//	best.go        best ranks
//	league.go      what happens before a member is put into a cohort
//	meta.go        metadata
//	func_in.go     SubmitFunc in the caller's transaction
//	hidden.go      submissions of hidden members; the entries beside a ranking
//	move.go        hiding and showing a member in open periods
//	open.go        openPeriod: the open periods of a board, and the transactions that change a member in them
//	remove.go      removal of a member
//	closed.go      the same and the removal of a member in a closed period
//	remove_in.go   the same in the caller's transaction
package submit

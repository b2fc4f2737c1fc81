// Package moderation changes what a board keeps of one member, in open and in closed periods.
//
// A change of a member has two parts. The first is one commit: it changes all open periods, writes the entry of the audit log, and stores a job if
// there is more to do. The second part is the job: it changes the closed periods, some in each commit, and then what else is stored of the member. A job
// that is interrupted goes on when the boards are open again.
//
//   - MO1: a change is in the audit log with who, when and why, or it has not happened.
//   - MO2: once the first commit of a ban is acknowledged, no submission of the member counts.
//   - MO3: a commit that changes a closed period also changes its record (members and digest) and the index of members, so that a check finds the period
//     as its record says, before, between and after the commits of a job.
//   - MO4: jobs of a board run one after the other, in the order of their entries in the audit log.
//   - MO5: closed periods are changed without being read, where that is possible: the index has the member's entry.
//   - MO6: long loops give the processor away after each period. Locks of sets are handed to the goroutine that has waited longest, and while that waits for a
//     processor, all others behind it wait too.
//
// # Revert
//
// Revert takes submissions of a member back: it gives the member the entries that it would have without them.
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
//	job.go      job: what is stored of it; Jobs
//	place.go    places for the audit log
//	step.go     run: a job that runs, or would run in a dry run, and its transactions; Result
//	closed.go   editor: the stages that change a member in closed periods; the one that removes it
//	hide_closed.go    the stages that hide and show a member in closed periods
//	awards.go   the stage that withholds awards
//	moving.go   moving an entry to another member in one period
//	rename_stages.go  the stages that give what is kept of a member to another one
//	cohorts.go  the stages that erase and move a member in cohorts
//	traces.go   the stages that erase what is left of a member outside of rankings
//	run.go      running the stages of a job to the end, and resuming it
//	change.go   change: a call, its first commit, and its dry run
//	again.go    a call that is made again
//	ban.go      Ban, Unban
//	erase.go    Erase
//	former.go   the names that a member had before
//	rename.go   Rename, Merge
//	member.go   Of: the history of a member
//	hide.go     Hide, Show
//	correct.go  Correct
//	rebuild.go  RebuildPeriod: a closed period of groups computed again
//	audit.go    reading the audit log
//	worker.go   the goroutine that indexes closed periods and resumes jobs
//	revert.go  Revert: the call and its transaction
//	revert_rows.go    which rows are reverted, and which are applied again
//	revert_replay.go  replay: the member's entries without the reverted rows
//	revert_spot.go    spot: the member's entry in one ranking
package moderation

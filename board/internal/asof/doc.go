// Package asof computes the ranking of a period as it was at a past moment: it copies the present one, and undoes the rows of the journal since then.
//
// A row has the entry that its member had before it. So after a moment a member has the entry that the first of its later rows has from before, and a member
// without later rows has its present one. The copy is made first, and the rows are read after it, some at a time: a row that has come in between is undone too,
// and undoes nothing that the copy does not have.
//
//   - AO1: the result is what counts today, as of then. Rows that are reverted are left out, and so are those of members that are hidden or banned now.
//   - AO2: moderation corrects rows and rankings in one commit, or in those of a job. No job is in progress when the copy is made, and if the audit log has
//     another entry when all rows are read, the call begins again.
//   - AO3: a row whose entries are not those of the present version is refused if it may concern the period: see J4 of package journal.
//
// # Where things are
//
//	asof.go  At, Row
//	undo.go  undo: the rows of the journal since the moment
//	call.go  call: the period, the moment, and what operators have done
package asof

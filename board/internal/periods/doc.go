// Package periods finds the periods of a board and returns their rankings.
//
// Such a ranking reads the board's set in the engine. It returns ErrMigrating once the board has been migrated. The evictor evicts a closed
// period that was read once it is idle.
//
// # Past moments
//
// AsOf computes the ranking of a period as it was at a past moment: it copies the present one, and undoes the rows of the journal since then.
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
// # Unions
//
// A union is one ranking computed from several: seven days into a week, three modes into one, each with its weight.
//
// A union is computed in three steps. A plan finds the rankings of the spec, the rules of the result, and a factor for each column of each
// ranking. A capture reads the rankings as they were at one instant: closed periods page by page where they are, because they do not change, and
// copies of all others, which the engine makes while writers go on. A tally combines the entries by member, and the result is sorted once.
//
//   - U1: a commit that changed two of the rankings is in both captures or in neither.
//   - U2: sums, and products with weights, are exact in 128 bits; only the value of a member in the result must fit in its column.
//   - U3: a stored union has one record and one set of that version. Its record is put, and the set of the record before it is deleted, by one
//     commit. The set never changes, but when a member is erased: by one commit with the record.
//
// # Where things are
//
//	period.go    Live, At, Named, LastClosed: rankings of periods; NextReset, Deadline
//	rankings.go  the rankings of periods and baselines
//	sources.go   the sources of these rankings: sets in the engine
//	rolling.go   copies of the rankings of rolling windows
//	tail.go      rankings of the best members; the others in their buckets
//	live.go      the live period of a window
//	in_tx.go     LiveIn, AtIn, NamedIn: rankings in transactions of callers
//	read_keys.go AppendKeys: the keys that they need
//	usage.go     the memory and disk space of periods
//	baseline.go  baselines: copies of rankings to compare with
//	rules_of.go  RulesOf: the rules of a set by its key
//	asof.go  AsOf, RowAsOf
//	asof_undo.go  undo: the rows of the journal since the moment
//	asof_call.go  call: the period, the moment, and what operators have done
//	union_plan.go     the rankings of a spec
//	union_layout.go   the columns and the rules of the result, and the factors of the sources
//	union_columns.go  one column: its values, weights and factors
//	union_capture.go  reading the rankings as at one instant
//	union_tally.go    combining entries by member
//	union_wide.go     numbers of 128 bits
//	union.go    Union
//	union_members.go    erasing a member from stored unions
//	union_store.go   StoreUnion, DropUnion
//	union_stored.go  their rankings, Unions
package periods

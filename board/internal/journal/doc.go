// Package journal keeps the last submissions of a board: what each member has submitted, and the entries before.
//
// The journal of a board is one set. A row is a member of it, and the row's number is the score, so the set is in the order of arrival. A submission stores its
// row in its own transaction, which also removes the oldest rows when there are more than Spec.Journal.
//
// One set was chosen over a private key for each row: all private keys of a board have one lock, so a submission would wait for every read of metadata of the
// board, and every submission would rewrite keys that a snapshot copies one by one. See docs/figures.md for what a row costs.
//
// # Invariants
//
//   - J1: numbers rise by one from row to row, from 1 on, and are never used again while the board has a journal. Rows that Erase removes leave
//     gaps. The newest row is always there: Erase leaves a blank one in its place.
//   - J2: the entries before a row, of its windows, are those that the member had in the periods of the row's time when it was stored; or, after a
//     revert of an earlier row, those that it would have had without that row.
//   - J3: a removal of the member is a row too. It lists the rankings that the member was removed from, and, like J2, the entries that it had there. Rows of
//     removals that were stored before there was AsOf have no entries.
//   - J5: of a rolling window a row has, in place of what is kept beside the entry, results that were stored around the one of the row: see rolling.Sets.Around.
//     Its entries are for reverts: after one, the score before a row of a sum, or a removal, is not that which there would have been.
//   - J4: rows of an earlier version of the board stay. Their entries have the form of that version, and cannot be restored. Nor can those of version 0: they
//     are of a member that has been merged with another one since, or of one that had the name before another member got it.
//
// # A row
//
//	number uvarint | kind 1 | version uvarint | arrived 8 | at 8 | member length uvarint, bytes | once length uvarint, bytes | audit uvarint | rest
//
// Times are microseconds after 1970. audit is the number of the entry of the audit log that has reverted the row, 0 for none. The rest of a submission is its
// score, see rules.AppendScore, and for each window of the board:
//
//	flags 1 | of a window that the submission went to: arrival uvarint | if it had an entry: score 8, tie, and the length and the bytes of what was kept beside it
//
// The rest of a removal is the index of a window and the length and the bytes of the name of a period, for each ranking. If the kind has the bit 0x40, each
// is followed by its entry: flags 1 | if it had one: score 8, tie. Otherwise the row has no entries.
//
// # Where things are
//
//	row.go     Row; its stored form
//	log.go     Log: the journal in a transaction
//	read.go    iterating over rows
//	members.go Erase and Rename
//	check.go   the check of a journal
package journal

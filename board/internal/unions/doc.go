// Package unions computes one ranking from several: seven days into a week, three modes into one, each with its weight.
//
// A union is computed in three steps. A plan finds the rankings of the spec, the rules of the result, and a factor for each column of each
// ranking. A capture reads the rankings as they were at one instant: closed periods page by page where they are, because they do not change, and
// copies of all others, which the engine makes while writers go on. A tally combines the entries by member, and the result is sorted once.
//
// # Invariants
//
//   - U1: a commit that changed two of the rankings is in both captures or in neither.
//   - U2: sums, and products with weights, are exact in 128 bits; only the value of a member in the result must fit in its column.
//   - U3: a stored union has one record and one set of that version. Its record is put, and the set of the record before it is deleted, by one
//     commit. The set never changes, but when a member is erased: by one commit with the record.
//
// # Where things are
//
//	plan.go     the rankings of a spec
//	layout.go   the columns and the rules of the result, and the factors of the sources
//	columns.go  one column: its values, weights and factors
//	capture.go  reading the rankings as at one instant
//	tally.go    combining entries by member
//	wide.go     numbers of 128 bits
//	union.go    Union
//	erase.go    erasing a member from stored unions
//	store.go    Store, Drop; stored.go their rankings, Names
package unions

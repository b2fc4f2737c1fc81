// Package place knows where the entry of a member is in the ranking of a period, and is the one
// door for a change of it.
//
// A Place is one of these kinds:
//
//   - the ranking is one set;
//   - it is divided into parts, by a hash of the member;
//   - its set has the best members, and buckets have the others, by a hash too;
//   - it is that of a rolling window: beside the set of entries are those of its results, which
//     leave one by one.
//
// While a member is hidden its entry is in a set beside the ranking, whatever kind that is. A new
// kind of ranking is one more type that implements kind.
//
// A call makes a Place before its transaction, appends its keys to those that the transaction
// names, and opens it there. Change changes the entry, and tells the observers (catalog.Observer):
// followers, feed and the like. What is kept of the member beside the entry is read and stored by
// the Place too.
//
// # Where things are
//
//	place.go     Place: the sets of a period that may have the entry of a member
//	entry.go     opening them, reading and changing the entry
//	kind.go      kind: what a kind of ranking implements
//	one.go       rankings that are one set
//	parts.go     rankings in parts
//	best.go      the best members, and the others in buckets
//	rolling.go   rolling windows
//	hidden.go    the set beside the ranking
//	change.go    Change: a change of the entry, of which observers are told
//	kept.go      what is kept beside an entry: results, times, metadata
//	past.go      what a member had after some of its results
//	lookup.go    looking up the entries of many members
//	row.go       the rows of an entry
//	blocked.go   Unblock, Prepare: what transactions find in their way
//	resizing.go  splits and merges of parts
package place

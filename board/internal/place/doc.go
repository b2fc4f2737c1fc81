// Package place knows where the entry of a member is in the ranking of a period: in one set, in one of several parts, among the best members or in a
// bucket of the others, or beside the ranking while the member is hidden. Whoever changes an entry goes through a Place; the results of a rolling window
// are no part of it.
//
// # Where things are
//
//	place.go     Place: the sets that have the entry; reading and changing it
//	row.go       the rows of an entry
//	steps.go     Maintain: the steps that a change has made due
//	resizing.go  splits and merges of parts
package place

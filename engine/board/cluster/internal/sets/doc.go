// Package sets reads the partitions of a ranking as one set.
//
// # Where things are
//
//	text.go  the texts of sorted sets
//	sets.go  Sets: counts, entries of members, rows
//	walk.go  walks: where a place is in the partitions
package sets

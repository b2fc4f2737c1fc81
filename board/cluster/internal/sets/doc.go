// Package sets reads the partitions of a ranking as one set.
//
// # Where things are
//
//	sets.go  Sets: counts, entries of members, rows
//	walk.go  walks: where a place is in the partitions
//	sums.go  Sums: counts of several partitions
package sets

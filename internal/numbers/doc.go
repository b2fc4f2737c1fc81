// Package numbers writes numbers for people.
//
// # Where things are
//
//	numbers.go  Count and Plural
package numbers

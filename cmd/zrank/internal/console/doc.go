// Package console writes numbers for people, and draws progress bars.
//
// # Where things are
//
//	numbers.go   Count, Plural, Size, PerSecond
//	progress.go  IsTerminal, and the progress bar of the house
package console

// Package console writes sizes for people, and draws progress bars.
//
// # Where things are
//
//	numbers.go   Size, PerSecond
//	progress.go  IsTerminal, and the progress bar of the house
package console

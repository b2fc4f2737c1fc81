// Package replay is the command "zrank replay": it streams CSV files into boards and shows the top of each.
//
// It owns the position of each input, which it stores in the same commit as the scores from it. So a replay that was interrupted goes on
// where it stopped, and no row counts twice.
//
// # Where things are
//
//	command.go  New: the command
//	replay.go   the files, one after the other
//	resume.go   where to go on in an input
//	fill.go     events from an input into a batch
//	commit.go   a batch and the position after it, in one commit
//	input.go    an input, and a replay under way
//	options.go  the values of the flags
//	reading.go  flags about reading rows
//	refused.go  counts of bad rows, and when a replay fails because of them
//	bar.go      the progress bar
package replay

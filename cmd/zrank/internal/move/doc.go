// Package move has the command "zrank move": boards go from a data directory to a cluster, and back.
//
// # Where things are
//
//	command.go  New: the command
//	run.go      moving the boards, one after the other
//	remote.go   a server of zrank that moves its boards itself
//	ends.go     ends: a directory or a cluster, opened
//	options.go  the flags; the lines that are written
//	bar.go      the progress bar
package move

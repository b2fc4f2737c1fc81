// Package datadir opens data directories with their boards and their time.
//
// It owns the clock of a directory: one that replay has filled lives in the time of its data. It promises that Make leaves no directory
// behind if nothing was stored.
//
// # Where things are
//
//	data.go   Data; Open, OpenStill, OpenEngine; finding a ranking
//	make.go   Make: open a directory that need not exist
//	inuse.go  Announce: how to reach the process that serves a directory; Explain: the error of a directory that is in use
//	lock_unix.go, lock_other.go  the lock of the file that Announce writes
//	clock.go  Clock: the time of a directory
//	rows.go   rows of a ranking as package show writes them
package datadir

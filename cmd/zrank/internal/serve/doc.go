// Package serve is the command "zrank serve": it serves a data directory to Redis clients.
//
// # Where things are
//
//	serve.go    New: the command; from flags to an open engine and its boards
//	options.go  what the flags say, and whether it makes sense
//	listen.go   where it listens
//	run.go      serving until it is told to stop
//	users.go    the file of users
//	gc.go       how often the garbage collector runs
package serve

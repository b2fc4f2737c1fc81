// Package serve is the command "zrank serve": it serves a data directory to Redis clients.
//
// # Where things are
//
//	serve.go    New: the command; from flags to an open engine and its boards
//	options.go  the flags, and checks of their values
//	listen.go   where it listens
//	run.go      serving until the context ends or a client sends SHUTDOWN
//	users.go    the file of users
//	gc.go       how often the garbage collector runs
package serve

// Package serve is the command "zrank serve": it serves a data directory to Redis clients and by the HTTP API.
//
// # Where things are
//
//	serve.go    New: the command; from flags to an open engine and its boards
//	options.go  the flags, and checks of their values
//	listen.go   where it listens
//	limit.go    how many connections each door takes, so that the store always has files; openfiles_unix.go, openfiles_other.go: the limit of them
//	run.go      serving until the context ends or a client sends SHUTDOWN
//	api.go      the HTTP API: flags, listening, serving
//	users.go    the file of users
//	keys.go     the file of API keys; tokens.go those of players' tokens and of score tickets
//	gc.go       how often the garbage collector runs
package serve

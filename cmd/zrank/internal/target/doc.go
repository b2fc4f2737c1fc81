// Package target opens what a command is about: the boards of a data directory, or those of a server.
//
// A command knows the interface Boards only, so that it does the same in both places. What needs the directory itself, such as a
// check, is no command of a target: see package datadir.
//
// # Where things are
//
//	target.go     Target: the flags --dir, --addr and --key, and which of them holds
//	open.go       Open: a directory, or a server
//	boards.go     Boards: what commands need; directory and server, which have it
//	ranking.go    finding a ranking by the flags of a command
//	transport.go  requests of a server, and what their errors say
package target

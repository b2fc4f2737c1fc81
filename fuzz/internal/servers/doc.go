// Package servers runs scripts on servers of the Redis protocol, through go-redis as a client.
//
// It turns operations into commands and the replies of commands into those of the oracle. The engine below a server is that of package
// engines.
//
// # Where things are
//
//	configs.go      Configs: versions of the protocol, with a disk or without
//	machine.go      a server and its client
//	ask.go          operations on one set as commands
//	ask_members.go  ranges by member
//	ask_whole.go    conditions, whole sets and several sets
//	asker.go        asker: a client or a pipeline
//	replies.go      replies of commands as those of the oracle
//	pipes.go        connections in memory
package servers

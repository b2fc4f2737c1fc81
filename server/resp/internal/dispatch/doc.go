// Package dispatch executes the requests of a client in order: it reads them, finds their commands, and executes each by itself, in a
// transaction with its neighbours in the pipeline, or queues it for EXEC.
//
// It promises that commands are executed and answered in the order in which they were sent, that a command that is not answered has changed
// nothing, and that a pipeline of any length holds at most 64 KiB of replies beyond those that wait for the client.
//
// # Where things are
//
//	loop.go  Serve: reading, dispatching, refusing, ending
//	run.go   commands of a pipeline that share a transaction
package dispatch

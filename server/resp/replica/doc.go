// Package replica copies the keys of a running Redis or Valkey to an engine, and then what changes, until the caller stops it: so that a program can move away
// from Redis while it goes on.
//
//	report, err := replica.Run(ctx, e, replica.Options{Address: "127.0.0.1:6379"})
//	differences, err := replica.Compare(ctx, e, replica.Options{…})
//	played, err := replica.Play(ctx, e, file, replica.PlayOptions{}) // the commands of an append-only file
//
// # Terminology
//
//   - source: the Redis that is copied.
//   - offset: how many bytes of changes the source has sent to its replicas, ever. The source counts it, and so do we.
//   - in step: everything that the source has sent is applied.
//
// # How
//
// By replication, Run is a replica of the source: it gets a file of all keys as they were at one moment (rdbfile imports it), and then every command that has changed
// something, in order, which a server of package resp inside the process executes. After a connection is lost Run goes on at its offset, and where the source does
// not remember that far, it gets a new file.
//
// Where the source refuses that, as some clouds do, Run goes through the keys by SCAN and copies values by DUMP; keyspace notifications tell which keys have changed, and these are copied
// again. When it is stopped it goes through all keys once more.
//
// # What it promises
//
//   - RP1: by replication, what the engine has is what the source had at an offset: no change is missing and none is there twice, whatever connection was lost. The
//     offset grows with the changes.
//   - RP2: when ctx ends, Run goes on until it has what the source had at that moment, or Options.Patience is over: Report.InStep says which.
//   - RP3: a process that ended while it copied begins with a new file, and with none of the keys that it had copied. It deletes no others: an engine with keys that
//     no Run has copied is refused, unless Options.Replace is given.
//   - RP4: what is left out is counted and named: types that the server does not keep, and commands that it does not know or refuses.
//   - RP5: by SCAN, what the engine has at the end is what the source had, if nothing changed during the last pass. Compare tells.
//
// The engine must be used by nobody else, and needs no more durability than engine.None: Run flushes it at its end.
//
// # Where things are
//
//	run.go      Run, by replication
//	scan.go     Run, by SCAN
//	compare.go  Compare
//	apply.go    applying commands
//	play.go     Play: the commands of an append-only file
//	databases.go  which databases have keys
//	copied.go   which keys an engine has that were copied
//	link.go     the connection of a replica
//	stream.go   commands as the source sends them
//	server.go   a server inside the process
//	status.go   Method, Status, Report
//	options.go  Options, errors
package replica

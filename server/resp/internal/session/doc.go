// Package session holds the state of a connected client that commands use: its identity, its database, its replies, its memory, its queue
// after MULTI; and the state that all clients of a server share. It defines what a Command is and runs one in a transaction. Package dispatch, above it, decides
// which command runs when; the families of commands, beside dispatch, are what runs.
//
// # What it promises
//
//   - T1: only a few large replies are written at a time, and a client waits for its turn to write one only while it holds no lock of the
//     engine: see memory.go.
//   - All memory that a client makes the server hold is counted by its account, and given back when it ends.
//   - Flush sends a reply only when the commits it depends on are durable.
//
// A Client belongs to its goroutine. Kill, Unblock and Info may be called by any.
//
// # Where things are
//
//	host.go      New hosts, their counters
//	registry.go  the connected clients
//	client.go    New clients; RESET
//	command.go   the keys and words of a command
//	table.go     Table: commands by name
//	txn.go       how a command runs in a transaction
//	multi.go     the queue after MULTI
//	block.go     how a command waits
//	kill.go      disconnecting a client, waking one that waits
//	waited.go    the keys that clients wait for
//	auth.go      who may run what; AUTH with its delay
//	memory.go    memory of replies, turns for large ones; sending replies
//	reply.go     which requests are answered
//	state.go     the types: Host, the state that the clients of a server share; Client, one of them; Command, a row of the table; Txn, a transaction as commands see it
//	info.go      the fields of a client in CLIENT LIST
//	random.go    the random source of a server
//	throttle.go  log lines that clients can trigger at will
package session

// Package dumpcmd has the commands that take values from a server to another: DUMP, RESTORE, MIGRATE.
//
// Dumps are those of redis-server 7.0 with rdbcompression yes, byte for byte, but for plain sets that are no intsets: Redis writes these in the order of
// a hash table. RESTORE takes dumps of Redis up to 8.0 and checks them whole before it changes anything.
//
// # Terminology
//
//   - dump: a value as bytes, with a version and a checksum: see package rdb.
//   - target: the server to which MIGRATE moves keys.
//
// # What it promises
//
//   - A value that RESTORE refuses has changed nothing. Sets that are too big for one transaction are stored all the same, and become visible at once.
//   - MIGRATE deletes a key only if the target has acknowledged the value that the key has then: see migrate.go.
//
// # Where things are
//
//	commands.go  Commands: the rows
//	dump.go      DUMP
//	restore.go   RESTORE
//	load.go      what a dump holds
//	migrate.go   MIGRATE
//	target.go    a connection to a target
package dumpcmd

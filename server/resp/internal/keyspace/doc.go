// Package keyspace maps the databases of clients to an engine: which key of the engine a client's key is, and what kind of value it holds.
// A value is a sorted set of the engine, or a plain value: a string or a plain set, which is a private key of the engine.
//
// # Terminology
//
//   - name: the engine's key of a client's key: see names.go.
//   - plain: of a value, that it is a string or a plain set.
//   - reserved: of a name, that it belongs to boards: see engine.Reserved.
//   - watch: the keys that one client has named in WATCH.
//
// # What it promises
//
//   - A key holds at most one value that clients see. A plain value hides a sorted set that the Go program has made under the same name.
//   - Sets with int64 scores and reserved keys are read, and never changed: see Tx.Changeable.
//   - A change of a watched key is noticed, also one that the program makes, except in the one case that watch.go names.
//
// A Tx is for one goroutine, in a transaction of the engine. A Space may be used by any goroutine.
//
// # Where things are
//
//	open.go      New
//	space.go     the types: Space, all keys of an engine; Tx, Names, Watch
//	tx.go        the keys in a transaction; changing sorted sets
//	held.go      Value: the value of a key, of any kind
//	move.go      drop, rename, copy, expire, persist, whatever the kind
//	names.go     databases and the engine's keys
//	value.go     plain values as they are stored; members of plain sets
//	plain_tx.go  plain values in a transaction; how expired ones are deleted
//	plain.go     which keys may have plain values; reading one
//	sorted.go    Sorted: a sorted set as clients read it, and how a transaction reads one
//	ints.go      sets with int64 scores, rankings of boards among them, as a Sorted
//	expiry.go    times at which keys expire, as clients write them
//	watch.go     watched keys
//	list.go      the keys of a database
//	scan.go      SCAN's cursors, RANDOMKEY
//	count.go     the number of keys of each database
package keyspace

// Package keycmd has the commands on keys of any kind: DEL, RENAME, EXPIRE, SCAN, FLUSHALL, OBJECT and others.
//
// Commands about all keys list them from the engine when they run by themselves, and hold no lock meanwhile. Between MULTI and EXEC they use
// the keys that the transaction has locked, which are all keys.
//
// # Where things are
//
//	keys.go     Commands: the rows; EXISTS, TYPE, DEL, RENAME, COPY
//	expire.go   EXPIRE, TTL, PERSIST and their relatives
//	object.go   OBJECT, MEMORY
//	scan.go     KEYS, SCAN, RANDOMKEY
//	dbsize.go   DBSIZE
//	flush.go    FLUSHDB, FLUSHALL
package keycmd

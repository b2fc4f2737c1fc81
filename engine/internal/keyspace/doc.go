// Package keyspace finds sets by key, and counts their members and bytes.
//
// It owns the map from keys to sets, the state of each Set, the ids of sets in the log, the index of expiries, and the accounts of members
// and bytes. A set that gets another key keeps its id, and takes the lock of its new key. The lock of a shard is held for a look into
// a table only.
//
// # Where things are
//
//	keyspace.go    Keyspace: find, obtain, list, scan, and change keys
//	list.go        the sets that exist, without the lock of each
//	table.go       Table: the sets of a shard by key (T1 to T3)
//	entry.go       Set: one sorted set and its state
//	blind.go       Blind: the blind writes to a set on the disk only (B1 to B3)
//	ids.go         the ids of sets in the log, and sets that have no key yet
//	track.go       Tracker: the members that have changed since a copy of a set began
//	expiries.go    Expiries: sets by the time at which they vanish
//	thresholds.go  when a set moves from a listpack to a skiplist
//	account.go     Accounts: sets, members and bytes, updated under the lock of the set that changes
//	leave.go       how a set leaves memory
//	candidates.go  sets in memory by when they were last used
package keyspace

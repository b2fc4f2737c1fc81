package pebbledb

// Pebble is read when a set is loaded and otherwise only written to: what it caches, we have too.
const (
	pebbleCache    = 1 << 20
	pebbleMemTable = 4 << 20
	pebbleStopAt   = 4 // full memtables: writes wait
	pebbleFiles    = 64
)

// pebbleL0StopAt is Pebble's own limit, which we leave as it is.
const pebbleL0StopAt = 12

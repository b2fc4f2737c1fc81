package pebbledb

// Sizes of Pebble. The cache is small: the store reads Pebble only to load a set, and the engine then holds the set in memory.
const (
	pebbleCache    = 1 << 20
	pebbleMemTable = 4 << 20
	pebbleStopAt   = 4 // Pebble makes writes wait at so many full memtables
	pebbleFiles    = 64

	// pebbleManifest lets Pebble begin a new MANIFEST as soon as the current one lists more changes than there are tables. So a compaction can make
	// Pebble begin one, which does not name the tables of before.
	pebbleManifest = 1
)

// pebbleL0StopAt is Pebble's default number of L0 sublevels at which it makes writes wait.
const pebbleL0StopAt = 12

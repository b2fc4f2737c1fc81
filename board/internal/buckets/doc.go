// Package buckets knows, in memory, which bucket of a period's tail has a member, and which bucket may have the best one.
//
// A board that ranks its best members exactly keeps the others, the tail, in buckets: sets of at most about Full entries each, so that they are
// stored as listpacks. This package reads no sets. Package tail does, and tells it what it finds.
//
// # Which bucket has a member
//
// The directory is that of extendible hashing. A bucket has a number and a depth, and holds the members whose hashes end with the depth lowest bits
// of the number. A full bucket of depth d is split: the members whose hash has bit d set go to a new bucket, whose number is the old one with
// bit d set, and both get depth d+1.
//
// The directory is not stored. It follows from the numbers of the buckets that exist: a bucket whose number has its highest bit at d came from the bucket
// without that bit, which was split at that depth. A bucket that lost all members does not exist as a set, and may be missing from the directory after
// a restart: its members would be in the bucket that it came from, and there are none.
//
// # Which bucket has the best member
//
// A bound is an entry that no entry of the bucket comes before. The bounds of all buckets are a heap. A bound is raised before the commit that
// makes it necessary, so a commit that fails leaves it too good, never too bad. It is lowered only by a transaction that has the bucket locked and has
// not changed it yet.
//
//   - BK1: every bucket with members has a bound, and no entry of the bucket comes before it.
//   - BK2: the buckets of the directory divide the hashes: each hash has exactly one.
//
// # How many members come before a place
//
// With segments, a tail also says how many of its entries come before a place, within bounds, and from that how many members of the ranking do. The order of
// the tail is divided into segments, each with a number of entries: see type segments, whose invariants SG1 to SG3 say why the bounds are true. A
// transaction that changes entries of the tail has the head locked. When it has committed, and before it unlocks the sets, Commit adds what it
// has changed. So the numbers are those of the last commit, and a transaction that fails changes none.
//
// A segment is split at once when many entries have come; that leaves it open on which side of the new place those before are. A count of all entries
// makes new segments of about equal size, with exact numbers: after Open, and when splits have doubled the number of segments. It reads the buckets one by one, while
// commits go on: they change the count too if their bucket is counted. Until it ends, the old segments answer; after Open nothing is known until then.
//
// # Where things are
//
//	places.go     Commit, Before: what is known of places; CountNext, Count: counts
//	tail.go       Tail: what is known of the buckets of one period, with its locks
//	directory.go  Directory: numbers and depths of buckets; Full, Hash
//	bounds.go     the heap of bounds
//	count.go      a count in progress
//	segments.go   segments, and how many entries come before each
//	sums.go       numbers with the sums of their beginnings
//	entry.go      Entry, Key: places in the order of a tail
package buckets

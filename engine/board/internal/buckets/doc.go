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
// # Where things are
//
//	directory.go  Directory: numbers and depths of buckets; Hash
//	bounds.go     the heap of bounds
//	tail.go       Tail: both, for one period, with its locks
package buckets

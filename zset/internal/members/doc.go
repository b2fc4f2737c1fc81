// Package members is the member table of a big sorted set: it keeps each member's record once and finds it by the member's
// bytes. Nothing in it holds a pointer to a member, so the garbage collector has nothing to follow, and no operation is
// O(n): slabs and hash tables are added one at a time.
//
// # Terminology
//
//   - record: [key 8 | text length 2 | text], rounded up to 8 bytes. The text is the tie followed by the member: compared as
//     bytes it is the whole tie rule, so the index needs nothing else.
//   - ref: a record's handle: slab number and offset in the slab, in units of 8 bytes.
//   - slab: up to 64 KiB of records. A slab is also a page of a snapshot.
//   - class: the size of a record in units of 8 bytes. Freed records are chained by class, both ways, and used again.
//   - large record: one whose text is over 8 KiB. It has a slab of its own, of just its size.
//   - victim: the slab whose live records are being moved elsewhere, so that it can be given back.
//   - bucket: 12 tags and 12 refs, one cache line. A tag is 8 bits of the member's hash, 0 marks an empty place.
//   - home: the bucket where the search for a hash starts. A bucket that is full is passed, and counts that it was.
//   - table: 16 to 96 buckets in the order of hashes. One that is 15/16 full, or whose buckets were passed often, grows, up to
//     96; then it is split in two by the next bit of the hash. Two such halves are buddies, and merge when together they hold few records.
//   - directory: leads from the top bits of a hash straight to the buckets of its table, whose size and depth stand beside
//     the pointer.
//
// # Invariants
//
//   - M1: every live record is found by its member's hash, and by nothing else.
//   - M2: walking a slab from its start, record by record, ends exactly at its end (or, in the slab being filled, where the
//     next record goes).
//   - M3: every free record is in the chain of its class, and only there; but those of the victim that its evacuation has
//     passed are in no chain, and all that it has passed are free.
//   - M4: a bucket's overflow count is the number of records whose home it is or was passed on the way, and that stand in a
//     later bucket: a search may stop at the first bucket with a count of 0. The counts of records, tables and bytes that
//     the index keeps are exact.
//   - M5: so are the units live in each slab, the bytes live and held in all, and the numbers that no slab has.
//   - M6: a page that is not marked as changed holds the members, with keys and ties, that it held when it was taken by the last
//     snapshot that was kept, or loaded.
//
// # Left out, and why
//
//   - Joining free records that lie side by side, or cutting a big one up: evacuation gives whole slabs back, and then all
//     sizes fit again.
//   - Moving large records: their slabs are just their size and go with them. But a slab with a high number keeps 27 bytes
//     for each number below it.
//   - Pulling records home when their home has room again: it costs reading other records at each removal. A table whose
//     buckets were passed too often grows, and in the new one records stand at home.
//   - More of the hash in the index, so that a table that grows need not read its records: 1 or 2 bytes per member, where
//     taking the cache misses of a bucket together has made the reading cheap.
//   - Slabs without a directory of their own (one big array): growing it would be O(n), and a page could not be given back.
//
// # Where things are
//
//	table.go                      Table: what a ref says
//	change.go                     adding, removing and changing members
//	find.go, bucket.go, index.go  finding a member: the lookup, a cache line of it, the sizes
//	records.go, slabs.go          records and the memory that they are in
//	shrink.go                     giving memory back bit by bit
//	pages.go                      slabs as pages of a snapshot
//	bulk.go, scan.go              making a table of whole pages; visiting all members
//	check.go                      the invariants M1 to M5
package members

// Package members is the member table of a big sorted set: it stores one record for each member and finds it by the member's bytes. It
// holds no pointers to members, so the garbage collector does not scan them. No operation is O(n): slabs and hash tables are added one
// at a time.
//
// # Terminology
//
//   - record: [key 8 | text length 2 | text], rounded up to 8 bytes. The text is the tie followed by the member. Texts compared
//     as bytes give the order of entries with equal scores.
//   - ref: a record's handle: slab number and offset in the slab, in units of 8 bytes.
//   - slab: up to 64 KiB of records. A slab is also a page of a snapshot.
//   - class: the size of a record in units of 8 bytes. Freed records are chained by class, both ways, and used again.
//   - large record: one whose text is over 8 KiB. It is alone in a slab of exactly its size.
//   - victim: the slab whose live records are being moved to other slabs, so that it can be freed.
//   - bucket: 12 tags and 12 refs, one cache line. A tag is 8 bits of the member's hash, 0 marks an empty place.
//   - home: the bucket where the search for a hash starts. A record whose home is full passes it, and the bucket counts the
//     records that passed.
//   - table: 16 to 96 buckets in the order of hashes. A table grows when it is 15/16 full or its buckets were passed often. A
//     table of 96 buckets is split in two by the next bit of the hash. The two halves are buddies. They merge when together
//     they hold few records.
//   - directory: an array indexed by the top bits of a hash. An entry has the pointer to the table's buckets, their number and
//     the table's depth.
//
// # Invariants
//
//   - M1: every live record is found by its member's hash, and by nothing else.
//   - M2: walking a slab from its start, record by record, ends exactly at its end (or, in the slab being filled, where the
//     next record goes).
//   - M3: every free record is in the chain of its class, and only there. Exception: the records of the victim that the
//     evacuation has passed are all free, and are in no chain.
//   - M4: a bucket's overflow count is the number of records that passed it and are in a later bucket. So a search may stop at
//     the first bucket with a count of 0. The index's counts of records, tables and bytes are exact.
//   - M5: the live units of each slab, the live and held bytes of all slabs, and the free slab numbers are exact.
//   - M6: a page that is not marked as changed holds the same members, keys and ties as when it was loaded, or when the last
//     snapshot that was kept took it.
//
// # Left out, and why
//
//   - Joining adjacent free records, or dividing a big one: evacuation frees whole slabs, whose space then fits all sizes.
//   - Moving large records: their slabs are freed with them. But a slab with a high number costs 27 bytes for each free number
//     below it.
//   - Moving records back to their home when it has a free place again: each removal would have to read other records. A table
//     whose buckets were passed too often grows, and in the new table records are at home.
//   - More bits of the hash in the index, so that a growing table need not read its records: that costs 1 or 2 bytes per
//     member, and reading is cheap, because the cache misses of a bucket overlap.
//   - One big array instead of slabs: growing it would be O(n), and a page could not be freed.
//
// # Where things are
//
//	table.go                      Table: what a ref says
//	change.go                     adding, removing and changing members
//	find.go, bucket.go, index.go  finding a member: the lookup, a cache line of it, the sizes
//	records.go, slabs.go          records and the memory that they are in
//	shrink.go                     freeing memory in small steps
//	pages.go                      slabs as pages of a snapshot
//	bulk.go, scan.go              making a table of whole pages; visiting all members
//	order.go                      all members in order
//	group.go, radix.go            groups of records by hash or key; the sort
//	check.go                      the invariants M1 to M5
package members

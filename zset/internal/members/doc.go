// Package members is the member table of a big sorted set: it keeps each member's record once and finds it by the member's
// bytes. Nothing in it holds a pointer to a member, so the garbage collector has nothing to follow, and no operation is
// O(n): slabs and hash tables come and go one at a time.
//
// # Terminology
//
//   - record: [key 8 | text length 2 | text], rounded up to 8 bytes. The text is the tie followed by the member: compared as
//     bytes it is the whole tie rule, so the index needs nothing else.
//   - ref: a record's handle: slab number and offset in the slab, in units of 8 bytes.
//   - slab: up to 64 KiB of records. A slab is also a page of a snapshot.
//   - class: the size of a record in units of 8 bytes. Freed records are chained by class and used again.
//   - victim: the slab that is being emptied so that it can be given back; see evacuate.go.
//   - large record: one whose text is over 8 KiB. It has a slab of its own, of just its size.
//   - bucket: 12 tags and 12 refs, one cache line. A tag is 8 bits of the member's hash, 0 marks an empty place.
//   - home: the bucket where the search for a hash begins.
//   - table: 16 to 384 buckets. A table that is 7/8 full grows by a third or a half; one of 384 is split in two by the next
//     bit of the hash. The directory leads from the top bits of a hash to its table.
//   - buddies: two tables that a split could have made.
//
// # Invariants
//
//   - M1: every live record is found by its member's hash, and by nothing else.
//   - M2: walking a slab from its start, record by record, ends exactly at its end (or, in the slab being filled, where the
//     next record goes).
//   - M3: every free record outside the victim is in the chain of its class, and only there; none of the victim is in any.
//   - M4: a bucket's overflow count is the number of records whose home it is or was passed on the way, and that stand in a
//     later bucket: a search may stop at the first bucket with a count of 0.
//   - M5: a slab's count of live units is that of its live records, large ones left out.
//   - M6: a table's count is that of its refs, and some table needs every bit of the directory.
package members

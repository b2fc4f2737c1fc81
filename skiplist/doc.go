// Package skiplist is the ordered index of a sorted set: (key, ref) entries in order, with rank from entry and entry from
// rank in O(log n). It is an unrolled skiplist: entries stand in leaves of up to 64, towers of links stand on leaves, and
// every link counts the entries it jumps over.
//
// A List keeps no members. It holds a 64-bit key, which orders as the score does, and a 32-bit ref, a handle of the record
// that holds the member; the bytes of that record are asked for only where two keys are equal.
//
// A List is not safe for concurrent use; readers may share it while nobody writes.
//
// # Terminology
//
//   - entry: a key and a ref. Entries are ordered by key, then by the text of the ref, as bytes.
//   - text: what orders equal keys. Texts, given by the owner of the records, returns it for a ref.
//   - leaf: up to LeafSize entries in order, as two parallel arrays, so that a search reads keys only.
//   - slot: the place of a leaf in the slab of leaves. Leaves may change slots, towers never move.
//   - tower: the links of one leaf, one for each level from 0 up to its height. A tower is known by the index of its
//     level-0 link. Tower 0, the head, has the maximal height and stands on the first leaf, which always exists.
//   - link: the next tower of the same level, with the first entry of that tower's leaf and the span. A link to nothing is
//     the last of its level.
//   - span: the number of entries from the first entry of the link's own leaf up to the first entry of the next tower's
//     leaf, or up to the end. The level-0 span is therefore the number of entries in the leaf, and is where it is kept.
//   - path: for each level the last tower that a descent stood on, and the rank of its leaf's first entry: where links
//     must change when entries come or go. Redis calls the two arrays update and rank.
//   - rank: the number of entries before an entry, from 0.
//
// One leaf of three with towers of height 1, 3 and 2; [span] on each link:
//
//	level 2   head --------[64]-------> +------------------[95]-----------------> end
//	level 1   head --------[64]-------> +-------[40]------> +--------[55]-------> end
//	level 0   head --------[64]-------> +-------[40]------> +--------[55]-------> end
//	          leaf of 64 entries        leaf of 40          leaf of 55
//
// # Invariants
//
// They hold between calls. With -tags invariants each is verified after every change; under the race detector after every
// change of a list of up to 4096 entries, and now and then in longer ones.
//
//   - S1: entries are in strictly ascending order, inside leaves and across them.
//   - S2: a link's span is the number of entries from its leaf's first up to the next tower's leaf or the end; the spans of
//     any level sum to Len.
//   - S3: a link caches the key and ref of the first entry of the leaf it leads to.
//   - S4: every leaf holds 1..LeafSize entries, but for the only leaf of an empty list; every leaf but the first and the
//     last holds at least 3/8 of LeafSize.
//   - S5: a leaf's prev is the tower before its own on level 0; slot and tower name each other.
//   - S6: a tower is on every level below its height and on none above; the levels in use end with the highest tower.
//   - S7: there are as many slots as leaves: freed slots are refilled at once, so the slab shrinks with the list.
//
// # Left out, and why
//
// One entry a node, as in Redis: a node of its own costs a pointer chase and about 40 bytes an entry. Links back on every
// level: a rank found from an entry upwards would save the descent, for 8 more bytes a link. Concurrent writers: the
// engine has a lock for each set. Sharing with the leaf on the right before splitting: random inserts then leave leaves 72 %
// full instead of 69 %, 0.9 bytes an entry, for a second way to make room.
package skiplist

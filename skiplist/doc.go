// Package skiplist is the ordered index of a sorted set: (key, ref) entries in order, with rank from entry and entry from
// rank in O(log n). It is an unrolled skiplist: a leaf holds up to 64 entries, each leaf has a tower of links, and every link counts
// the entries it jumps over.
//
// A List stores no members and few keys. An entry is a 64-bit key, which orders as the score does, and a 32-bit ref, a handle
// of the record that holds key and member. A leaf stores 16 bits of each key. A search reads a record's key only where those bits are
// equal, and its text only where the keys are equal too.
//
// A List is not safe for concurrent use; readers may share it while nobody writes.
//
// # Terminology
//
//   - entry: a key and a ref. Entries are ordered by key, then by the text of the ref, as bytes.
//   - record: the key and text of a ref. The interface Records gives access to them.
//   - text: what orders equal keys, as bytes.
//   - piece: the 16 bits of a key that a leaf stores. A greater key has a greater or equal piece.
//   - frame: says which bits the pieces of a leaf are: piece = key>>shift - from.
//   - leaf: up to LeafSize entries in order, pieces and refs as two parallel arrays, so that a search reads pieces only.
//   - slot: the place of a leaf in the slab of leaves. Leaves may change slots, and towers their links, when others go.
//   - tower: the links of one leaf, one for each level from 0 up to its height. A tower is known by the index of its
//     level-0 link. Tower 0, the head, has the maximal height and stands on the first leaf, which always exists.
//   - hole: links that no tower uses, as many as a tower of some height has.
//   - link: the next tower of the same level, with the first entry of that tower's leaf and the span. A link to nothing is
//     the last of its level.
//   - span: the number of entries from the first entry of the link's own leaf up to the first entry of the next tower's
//     leaf, or up to the end. The level-0 span is therefore the number of entries in the leaf, and is where it is kept.
//   - path: for each level the last tower that a descent visited, and the rank of its leaf's first entry. An insert or a
//     delete changes the links of these towers. Redis calls the two arrays update and rank.
//   - rank: the number of entries before an entry, from 0.
//   - group: the entries with the same key and the same first Options.GroupText bytes of text. They are adjacent. In the order
//     (score, columns, time, member), the groups are the entries with equal (score, columns).
//   - start: the first entry of a group.
//   - starts: of a link, the number of starts among the entries that the span counts; in lists with Options.Groups only. On
//     level 0 it is stored with the leaf, on higher levels in the link.
//
// One leaf of three with towers of height 1, 3 and 2; [span] on each link:
//
//	level 2   head --------[64]-------> +------------------[95]-----------------> end
//	level 1   head --------[64]-------> +-------[40]------> +--------[55]-------> end
//	level 0   head --------[64]-------> +-------[40]------> +--------[55]-------> end
//	          leaf of 64 entries        leaf of 40          leaf of 55
//
// And the starts of a list of four groups, a to d, in small leaves; {starts} on each link. Every level adds up to 4:
//
//	level 1   head --------{2}--------> +------------------{2}------------------> end
//	level 0   head --------{2}--------> +-------{1}-------> +--------{1}--------> end
//	          a a b b                   b b c c             c d d
//
// # Invariants
//
// They hold between calls. With -tags invariants each is verified after every change; under the race detector after every
// change of a list of up to 4096 entries, and now and then in longer ones.
//
//   - S1: entries are in strictly ascending order, inside leaves and across them.
//   - S2: a link's span is the number of entries from its leaf's first up to the next tower's leaf or the end; the spans of
//     any level sum to Len.
//   - S3: a link caches the key and ref of the first entry of the leaf it leads to; a link to nothing has the greatest key.
//   - S4: every leaf holds 1..LeafSize entries, but for the only leaf of an empty list; every leaf but the first and the
//     last holds at least a quarter of LeafSize.
//   - S5: a leaf's prev is the tower before its own on level 0; slot and tower name each other.
//   - S6: a tower is on every level below its height and on none above; the levels in use end with the highest tower.
//   - S7: there are as many slots as leaves: freed slots are refilled at once, so the slab shrinks with the list. Links
//     that no tower uses are holes, each in the chain of its height; towers and holes can be told apart when the slab
//     is read from its end.
//   - S8: an entry's piece is exactly its key's piece in its leaf's frame.
//   - S9: in a list with groups a link's starts are the starts among the entries that its span counts. The first entry of the
//     list is a start, any other if it is not of the group of the one before it, in this leaf or the last one.
//
// # Figures
//
// Bytes per entry in a list of a million, without records: 8.7 after random inserts, 9.5 after random updates, 7.9 after Build, 6.9
// after inserts in order. A leaf takes 384 bytes, or 440 with its place and its links.
//
// Groups take no memory. They slow down zset's updates and inserts at a million entries by these factors: 1.03 and 1.03 if hardly any
// scores are equal, 1.07 and 1.02 with a million different scores, 1.03 and 1.00 with a thousand. zset's BenchmarkDense measures this
// with two sets that do the same in turn.
//
// # Left out, and why
//
// One entry per node, as in Redis: it costs a cache miss per entry, and about 40 bytes. Backward links on every level: they would find
// a rank from the entry upwards, without a descent, but cost 8 bytes per link. Keys in the leaves: a leaf would take 768 bytes
// instead of 384. Concurrent writers: the engine has a lock for each set. Splitting two full leaves into three: in a board that grows,
// leaves would stay two thirds full, while sharing with neighbours fills them to 80 %.
//
// # Where things are
//
//	list.go                                   List, Options, Records
//	new.go                                    making a list
//	search.go, cursor.go                      the descent; walking
//	seekall.go                                several searches together
//	insert.go, delete.go, update.go, bulk.go  changes, of one entry and of many
//	balance.go                                when leaves split, merge and borrow
//	unlink.go                                 taking entries and leaves out of the links
//	tower.go, slab.go, holes.go               links: towers, the memory they are in, and its free parts
//	frame.go                                  the 16 bits of each key that a leaf holds
//	groups.go                                 counts of groups, for dense ranks
//	check.go                                  the invariants
package skiplist

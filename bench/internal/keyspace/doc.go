// Package keyspace measures very many small sets: one stage, one system, in this process.
//
//   - Fill puts the sets in, one commit or command for each set of 20 members, and tells how long that took and how many bytes
//     of memory a set takes: of live heap, for Redis of used_memory. What is left of that over the key and the entries, as
//     the bytes of zrank's listpack, is the overhead. Then it closes, after a snapshot, where there is a disk.
//   - Open opens what was closed, in a process that has held nothing before, and asks for ranks in some sets, each for the
//     first time. For Redis, which loads everything, opening is all.
//
// Members have 8 to 16 bytes, keys 14, scores are whole numbers. A set is drawn when it is put in, so the load takes no
// memory; to draw one takes about a microsecond.
package keyspace

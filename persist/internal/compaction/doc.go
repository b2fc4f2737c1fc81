// Package compaction rewrites the files of an open store, so that they hold nothing of what was deleted or replaced before (P21).
//
// Bytes of a deleted key may be in tables, as the key, its value, its deletion, or a bound of a block or a table; in Pebble's logs, behind newer
// bytes too, since Pebble writes over old logs; and in Pebble's manifests, as bounds of tables, those that are gone included. Compact takes these
// in turn, while commits go on:
//
//  1. From now on Pebble begins each log in a new file.
//  2. Pebble's memtables are flushed, and every table of before moves to the last level, where Pebble drops deletions and what they delete. A table
//     that came there unread, or while a snapshot of Pebble still needed what was deleted, is then rewritten.
//  3. Pebble begins a new manifest.
//  4. The logs and manifests of before are removed.
//  5. Readers may still have tables of before. Compact waits until they are gone.
//
// Each step leaves a store that Open opens with the same commits, so a crash needs no repair.
//
// # Where things are
//
//	compaction.go   Compact: its steps, and the files other than tables
//	tables.go       moving tables to the last level, and rewriting them there
//	run.go          run: what a running compaction knows and waits for; Compaction
package compaction

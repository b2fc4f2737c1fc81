// Package events writes what happens on boards into the commits that cause it, and reads it again.
//
// An event is a note in a commit (engine.Owner.Note): it is durable with what it tells of, and nothing else is stored. So the same events are read at the
// same positions after a restart, and there are none of a transaction that was rolled back.
//
// A feed reads the notes from the log, in blocks of some hundred commits. The readers of an engine share the newest blocks, so that an event is looked at once,
// and not once a reader. A block has a summary of its texts and kinds, a Bloom filter, by which a reader leaves out a block with nothing for it. What does not pass the
// reader's filter is not decoded.
//
// # Invariants
//
//   - FD1: an event is written by the transaction that makes its change, and only if the board's spec has Feed.
//   - FD2: positions rise from event to event. The position of an event follows from its commit and from its place among the notes of the commit.
//   - FD3: a feed after a position yields each later event once.
//   - FD4: shared blocks follow each other without a gap. A shared block does not change. Its summary has every text and every kind of its events.
//
// # An event in a note
//
//	version 1 | kind 1 | board | window | member | time varint | fields uvarint | fields
//
// Texts are a uvarint length and bytes. The time is in microseconds after 1970. fields has a bit for each field that is there, in this order: period, by,
// other, rank uvarint, before uvarint, score, was, groups, group, award, count uvarint, audit uvarint. Scores are in the form of rules.AppendScore. A field
// that is zero is left out.
//
// # Where things are
//
//	note.go      Note: writing an event
//	move.go      Writer, Move: who is overtaken, who comes to the first places and leaves them
//	watches.go   Watches: who wants to hear of everybody who overtakes them
//	audited.go   the events of the audit log
//	encode.go    the stored form of an event
//	decode.go    reading it
//	filter.go    matcher: a filter, which reads the beginning only
//	block.go     the events of consecutive commits
//	blocks.go    Blocks: those that readers share
//	read.go      Blocks.Read: the events after a position
package events

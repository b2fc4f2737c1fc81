// Package format knows every byte that a store keeps in Pebble: keys, records, groups, effects, page tables, pages. The package
// documentation of persist draws them.
//
// It promises that a decoder accepts only what an encoder of this or an earlier layout writes, never trusts a length, and answers
// anything else with a *CorruptError. It knows neither Pebble nor files.
//
// # Where things are
//
//	batch.go   Batch: the effects of one commit, encoded
//	effect.go  Reader and CommitDecoder, which take encoded commits apart
//	group.go   Group: the header of a group; Chain: the rule that links groups (P3, P4, P5)
//	note.go    Notes: the notes of one commit, encoded; reading them alone
//	keys.go    the keys in Pebble, and their names in errors
//	page.go    the stored form of a page
//	record.go  the records m/format, m/current and s/<set>
//	table.go   SetRecord, and the page table of a set
package format

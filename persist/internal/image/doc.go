// Package image reads whole stores, open ones and closed ones, damaged or not, to check and to copy them.
//
// It promises that it changes nothing in the source except LOCK, that Check continues after damage and reports all of it, that Salvage
// calls nothing whole that is not, and that a copy gets IDENTITY and its final name only after the copy was read in full (P16).
//
// # Where things are
//
//	backup.go   Backup of an open store, checking a copy
//	check.go    Check: reads everything and reports what is wrong
//	cut.go      an image as it was before the damage, if only Pebble's logs are damaged
//	database.go opening Pebble's database in the directory of a store
//	doubt.go    which sets of a salvaged copy may be other than they were
//	image.go    Image: a store at one moment; Problem
//	open.go     opening an image: of a directory, of an open store
//	raw.go      an image from tables and logs alone, if Pebble's list of tables is damaged
//	report.go   Report: what a check has read, and found; WithProgress
//	salvage.go  Salvage, which copies what can be read; Restore, which copies all
package image

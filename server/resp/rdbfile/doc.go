// Package rdbfile moves keys between the files of Redis and an engine: sorted sets, plain sets and strings, with their expiry, in all databases.
//
//	report, err := rdbfile.Import(ctx, e, file, rdbfile.ImportOptions{})
//	report, err := rdbfile.Export(ctx, e, file, rdbfile.ExportOptions{})
//
// Keys are those that clients of package resp see: a key of database 0 is the engine's key. No server of package resp may be open on the engine during Import:
// it would not notice the plain values. Other types of Redis are counted, and left out; so are sets of boards and others with int64 scores in Export.
//
// # What it promises
//
//   - F1: Import streams: its memory is that of the largest sorted set, which it builds before it stores it, and of some small values.
//   - F2: a key gets its whole value at once. After an error or a crash the keys before that point have their values, and the others what they had.
//   - F3: an import that was interrupted goes on behind the last key whose position is stored, if it reads the same file with the same options; see
//     ImportOptions.Resume. Keys that were stored after that are met again, and count as existing, or are replaced by the same value.
//   - F4: what Export writes is what redis-server 7.0 writes for these values, and redis-server loads it. Each key is as it was at one moment; different keys may be of
//     different moments.
//
// # Where things are
//
//	import.go   Import
//	options.go  ImportOptions
//	state.go    importer, value
//	keys.go     keys of a file, and reading their values
//	store.go    storing: small values in batches, big sorted sets one by one
//	resume.go   how far an import has come
//	export.go   Export
//	report.go   ImportReport, ExportReport
package rdbfile

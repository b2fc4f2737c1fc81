// Package redisfile has the commands import and export: keys of a data directory from and to the files of Redis.
//
// # Where things are
//
//	import.go  NewImport: zrank import
//	importing.go  a run of import: reading the file, once or twice
//	aof.go     the commands of append-only files; folder.go the folder of these
//	mapped.go  keys that become periods of boards, by package mapping
//	export.go  NewExport: zrank export
//	input.go   the file that is imported: its size, its name for going on, gzip
//	report.go  what has been done, as a page
//	bar.go     the progress bar
package redisfile

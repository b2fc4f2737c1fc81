// Package boardfile writes boards to files as lines of JSON, and makes boards of them: what the commands export and import do with --format jsonl.
//
// # Where things are
//
//	export.go  Export
//	import.go  Import
//	report.go  what was written or made, as a table
package boardfile

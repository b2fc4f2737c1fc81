// Package boardfile writes boards to files as lines of JSON, and makes boards of them: what the commands export and import do with --format jsonl. It writes
// rankings as CSV for spreadsheets too, which does not come back.
//
// # Where things are
//
//	export.go  Export, Options
//	import.go  Import
//	csv.go     ExportCSV
//	report.go  what was written or made, as a table
package boardfile

// Package boardverbs has the commands "zrank board": a verb for each operation of package ops that no other command of zrank has, made from the
// table: what the operation is given are arguments and flags, and its result is a table, CSV or the JSON of the HTTP API.
//
// # Where things are
//
//	command.go  New: "zrank board" and its verbs
//	flags.go    the arguments and flags of a verb
//	result.go   how results are written
package boardverbs

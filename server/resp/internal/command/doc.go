// Package command has what every command of the server shares: how its row in the table describes it, how its words are read, and the
// errors that clients hear. It knows no client, no keys and no engine beyond its errors.
//
// It promises that words are read and refused as Redis reads and refuses them, and that no function keeps a word after it returns.
//
// # Where things are
//
//	spec.go      Flags, Keys and Doc: the fields of a command's row beside its functions
//	args.go      words: options, integers, databases, clipped text
//	cursor.go    cursors and options of SCAN and ZSCAN
//	refusal.go   Refusal, an error in Redis's words, and Refuse, which makes one of any error
//	version.go   the version of Redis that the server names
package command

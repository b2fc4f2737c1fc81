// Package script is the language of operations: their kinds, their text, and the generator of scripts.
//
// It owns the tables of all kinds of operations. An operation is one line, and any list of operations is a script, so that the shrinker
// may remove any line. It depends on no layer under test but for the types of scores and specs.
//
// # Where things are
//
//	op.go               Op: one operation, and its line of text
//	parse.go            Parse and Print
//	kinds.go            the tables of kinds
//	kinds_boards.go     the table for leaderboards
//	kind.go             kind and its traits
//	block.go            Block: an operation alone, or a transaction
//	generate.go         scripts from a seed or from bytes
//	generate_boards.go  arguments of operations on leaderboards
//	mixed.go            the specs of Mixed that scripts give it, and what they do under each
//	mix.go              how often each kind is drawn, by layer
//	source.go           sources of random choices: a seed, or bytes
//	shrink.go           Shrink
package script

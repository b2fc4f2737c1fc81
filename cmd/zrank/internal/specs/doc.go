// Package specs reads the specs of boards from flags and from files.
//
// # Where things are
//
//	specs.go  Specs: the boards that a replay feeds
//	flags.go  Flags: a spec from flags
//	file.go   ReadFile: specs from a file
//	define.go Define: boards and kinds of groups from specs; Complete
package specs

// Package flags has the flags that many commands share, and the error of a wrong call.
//
// A command that returns an Error exits with 2.
//
// # Where things are
//
//	flags.go      Error, and the flags --dir, --format and --ranks
//	member.go     the argument MEMBER
//	times.go      times in flags
//	byte_size.go  ByteSize: a flag with a number of bytes
package flags

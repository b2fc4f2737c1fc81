// Package facts defines how a set is stored: its form, its facts, its digest and the value of each member.
//
// Nothing here takes a lock or reads a disk. The formats are those of the log and of snapshots, so a change here changes stored bytes.
//
// # Where things are
//
//	form.go           Layout: kind of scores, width of ties, dense ranks
//	facts.go          Facts, and their bytes
//	value.go          the value of a Put in the log
//	digest.go         Digest, the sum of the hashes of a set's entries
//	reserved_keys.go  Reserved: which keys only package board may change
package facts

// Package codes is what the doors answer over HTTP with for errors of the library: a status, and a code that does not change.
//
// # Where things are
//
//	codes.go  Known: the table
package codes

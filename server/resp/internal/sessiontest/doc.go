// Package sessiontest runs the commands of a client without a connection, for tests of the families of commands: the families that a test
// names are all that its clients know.
//
// # Where things are
//
//	desk.go   NewHost, and Desk: a client whose requests come from a test
package sessiontest

// Package processtest starts the child processes of package processes in tests: each runs the test program itself.
//
// # Where things are
//
//	processtest.go  Configs, for the parent; Child, for the child
package processtest

// Package processtest starts the engines of package processes in tests: the child process is the test program itself.
//
// # Where things are
//
//	processtest.go  Configs, for the parent; Child, for the child
package processtest

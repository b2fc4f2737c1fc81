// Package faultfs is a file system for tests. It asks a hook before each mutation whether to do it, to fail it or to do half
// of it; the hook may also block. Another hook may fail reads.
//
// It promises that a mutation that the hook fails has no effect below it, except the half of a short write.
//
// # Where things are
//
//	faultfs.go   FS, its files, and the kinds of operations
package faultfs

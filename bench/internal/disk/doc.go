// Package disk tells what a directory stands on, counts what is written there, and moves directories about.
//
// # Where things are
//
//   - disk.go: which disk a directory is on, and how long a flush takes; copies, sizes, the page cache
//   - meter.go: a file system that counts the bytes written
package disk

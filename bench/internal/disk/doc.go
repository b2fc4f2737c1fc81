// Package disk tells what a directory stands on, counts what is written there, and moves directories about.
//
// # Where things are
//
//   - probe.go: which disk it is, and how long a flush takes
//   - tree.go: directories: copies, sizes, the page cache
//   - meter.go: a file system that counts the bytes written
//   - os_linux.go, os_other.go: what only the system knows
package disk

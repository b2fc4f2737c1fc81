//go:build !unix

package bench

import "os"

// Where a process cannot be stopped, what it does in the background goes on while others are measured.
func halt(*os.Process) error   { return nil }
func resume(*os.Process) error { return nil }

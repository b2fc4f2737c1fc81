//go:build !unix || aix || solaris || illumos

package datadir

import "os"

// lockFile locks nothing here, and says that it has: whoever asks believes that no process serves the directory, and nothing false is said of one.
func lockFile(*os.File, bool) (locked bool, err error) { return true, nil }

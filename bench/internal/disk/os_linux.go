package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush makes what was written to a file durable, without its times.
func flush(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// evict asks the kernel to forget what it has of a file in memory.
func evict(f *os.File) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }

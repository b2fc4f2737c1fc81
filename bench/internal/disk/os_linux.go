package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// flush makes the data of a file durable, without its metadata.
func flush(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// evict drops a file from the page cache.
func evict(f *os.File) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }

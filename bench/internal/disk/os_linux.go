package disk

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// flush makes what was written to a file durable, without its times.
func flush(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// evict asks the kernel to forget what it has of a file in memory.
func evict(f *os.File) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) }

// mount returns the type and the device of the file system that holds a directory.
func mount(dir string) (fileSystem, device string) {
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", ""
	}
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return "", ""
	}
	defer f.Close()
	longest := -1
	for lines := bufio.NewScanner(f); lines.Scan(); {
		field := strings.Fields(lines.Text()) // device, point, type, ...
		if len(field) < 3 {
			continue
		}
		point := strings.TrimSuffix(field[1], "/")
		if len(point) >= longest && (dir == point || strings.HasPrefix(dir, point+"/")) {
			longest, fileSystem, device = len(point), field[2], field[0]
		}
	}
	return fileSystem, device
}

package disk

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// Disk describes the disk of a directory and its flush time. Unknown fields are empty.
type Disk struct {
	FileSystem string  `json:"file_system"` // such as ext4
	Device     string  `json:"device"`
	Flush      float64 `json:"flush_ns"`     // write 4 KiB over and flush: the median
	FlushP99   float64 `json:"flush_p99_ns"` // and the 99th percentile
}

// flushes is the number of flushes of Probe. The first half warms up.
const flushes = 400

// Probe measures flushes of a file in a directory, and removes the file.
func Probe(dir string) (Disk, error) {
	var d Disk
	d.FileSystem, d.Device = mount(dir)
	name := filepath.Join(dir, "flush.probe")
	f, err := os.Create(name)
	if err != nil {
		return d, fmt.Errorf("probe the disk: %w", err)
	}
	defer os.Remove(name)
	defer f.Close()
	var took []time.Duration
	block := make([]byte, 4096)
	for i := range flushes {
		block[0] = byte(i)
		start := time.Now()
		if _, err = f.WriteAt(block, 0); err == nil {
			err = flush(f)
		}
		if err != nil {
			return d, fmt.Errorf("probe the disk: %w", err)
		}
		if i >= flushes/2 {
			took = append(took, time.Since(start))
		}
	}
	slices.Sort(took)
	d.Flush, d.FlushP99 = float64(took[len(took)/2]), float64(took[len(took)*99/100])
	return d, nil
}

// mount returns the type and the device of the file system that holds a directory.
func mount(dir string) (fileSystem, device string) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", ""
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", ""
	}
	mounts, _ := procfs.GetMounts()
	longest := -1
	for _, m := range mounts {
		point := strings.TrimSuffix(m.MountPoint, "/")
		if len(point) >= longest && (dir == point || strings.HasPrefix(dir, point+"/")) {
			longest, fileSystem, device = len(point), m.FSType, m.Source
		}
	}
	return fileSystem, device
}

// Copy copies a directory to a new or empty one, and flushes each file: no write remains for later.
func Copy(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return each(to, func(f *os.File, _ fs.FileInfo) error { return flush(f) })
}

// flush makes the data of a file durable, without its metadata.
func flush(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

// Evict drops the files of a directory from the page cache.
func Evict(dir string) error {
	return each(dir, func(f *os.File, _ fs.FileInfo) error { return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED) })
}

// Size returns the bytes of all files in a directory.
func Size(dir string) (total int64, err error) {
	err = each(dir, func(_ *os.File, info fs.FileInfo) error {
		total += info.Size()
		return nil
	})
	return total, err
}

// each calls f with every file in a directory, open.
func each(dir string, do func(f *os.File, info fs.FileInfo) error) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		return do(f, info)
	})
	if err != nil {
		return fmt.Errorf("walk %s: %w", dir, err)
	}
	return nil
}

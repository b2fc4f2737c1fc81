package disk

import (
	"io"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Meter is the operating system's file system with Pebble's count of the bytes written through it.
type Meter struct {
	FS vfs.FS
	io.Closer
	stats *vfs.DiskWriteStatsCollector
}

// NewMeter returns a meter at zero.
func NewMeter() *Meter {
	m := &Meter{stats: vfs.NewDiskWriteStatsCollector()}
	m.FS, m.Closer = vfs.WithDiskHealthChecks(vfs.Default, time.Hour, m.stats, func(vfs.DiskSlowInfo) {}) // a threshold of 0 would not count
	return m
}

// Written is the number of bytes written to Pebble's write-ahead logs, and to all files.
type Written struct{ Log, All int64 }

// Written returns what was written so far.
func (m *Meter) Written() (w Written) {
	for _, s := range m.stats.GetStats() {
		if s.Category == "pebble-wal" {
			w.Log += int64(s.BytesWritten)
		}
		w.All += int64(s.BytesWritten)
	}
	return w
}

// Since returns what was written after another reading.
func (w Written) Since(before Written) Written {
	return Written{w.Log - before.Log, w.All - before.All}
}

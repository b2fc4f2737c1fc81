package storedir

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// MarkerFS flushes the directory before it creates a marker file. Pebble names its current MANIFEST by creating a file
// marker.manifest.*, and flushes the directory only after that. On a file system that does not keep the order of names, a power cut
// may then keep the marker and lose the name of the MANIFEST that the marker names.
type MarkerFS struct{ vfs.FS }

const markerPrefix = "marker."

// Create implements FS.
func (d MarkerFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(d.PathBase(name), markerPrefix) {
		if err := SyncDir(d.FS, d.PathDir(name)); err != nil {
			return nil, err
		}
	}
	return d.FS.Create(name, category)
}

// Unwrap implements FS.
func (d MarkerFS) Unwrap() vfs.FS { return d.FS }

package persist

import (
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// disk is the file system as Pebble sees it. Pebble names its current MANIFEST by creating a file marker.manifest.*, and
// flushes the directory after that only, not before: a power cut may then keep the marker and lose the name of the MANIFEST
// it points to, on a file system that does not keep the order of names. disk flushes the directory first.
type disk struct{ vfs.FS }

const markerPrefix = "marker."

// Create implements FS.
func (d disk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(d.PathBase(name), markerPrefix) {
		if err := syncDir(d.FS, d.PathDir(name)); err != nil {
			return nil, err
		}
	}
	return d.FS.Create(name, category)
}

// Unwrap implements FS.
func (d disk) Unwrap() vfs.FS { return d.FS }

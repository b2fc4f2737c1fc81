// Package golden packs and unpacks store directories of earlier layouts, for tests.
package golden

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Pack writes the files below root into an archive. O(bytes). Errors: the file system's.
func Pack(root, archive string) error {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	if err := errors.Join(w.AddFS(os.DirFS(root)), w.Close(), z.Close()); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(archive), 0o755); err != nil {
		return err
	}
	return os.WriteFile(archive, b.Bytes(), 0o644)
}

// Unpack is the inverse. O(bytes). Errors: the file system's, and one for an archive that Pack has not written.
func Unpack(archive, root string) error {
	f, err := os.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = unpackOne(root, h, r)
		}
		if err != nil {
			return fmt.Errorf("golden: %s: %w", archive, err)
		}
	}
}

// unpackOne writes one file or directory of an archive below root. It refuses names that lead out of root.
func unpackOne(root string, h *tar.Header, r io.Reader) error {
	if !fs.ValidPath(strings.TrimSuffix(h.Name, "/")) {
		return fmt.Errorf("no path below a root: %q", h.Name)
	}
	path := filepath.Join(root, filepath.FromSlash(h.Name))
	if h.Typeflag == tar.TypeDir {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

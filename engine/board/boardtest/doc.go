// Package boardtest is scenarios of boards.
package boardtest

import (
	"embed"
	"io/fs"
)

//go:embed testdata/*.txt
var testdata embed.FS

// Files returns the scenarios that every backend of boards must pass: see Run.
func Files() fs.FS {
	files, err := fs.Sub(testdata, "testdata")
	if err != nil {
		return testdata // the path is a valid one
	}
	return files
}

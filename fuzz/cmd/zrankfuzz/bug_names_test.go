package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz"
)

// TestBugNames looks for the name of each bug in the code of its layer.
func TestBugNames(t *testing.T) {
	folders := map[string]string{"members": "zset/internal/members", "board": "engine/board", "resp": "server/resp"}
	for _, bug := range fuzz.Bugs {
		folder := folders[bug.Layer]
		if folder == "" {
			folder = bug.Layer
		}
		require.True(t, says(t, filepath.Join("../../..", folder), `seeded.Bug(`+strconv.Quote(bug.Name)+`)`), bug.Name)
	}
}

// says reports whether a file of the folder, or below it, has a text.
func says(t *testing.T, folder, text string) (found bool) {
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		found = found || strings.Contains(string(data), text)
		return err
	}))
	return found
}

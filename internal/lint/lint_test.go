package lint

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestHouse applies the rules to this repository.
func TestHouse(t *testing.T) {
	files, err := Read(os.DirFS(filepath.Join("..", "..")))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, p := range Check(files) {
		t.Error(p)
	}
	for _, s := range Stale(files) {
		t.Error(s)
	}
	for _, l := range Long(files) {
		t.Logf("look again: %s", l)
	}
}

// TestRules checks small repositories that break the rules. Each is a text file in testdata. It has the files of the repository, each
// after a line "-- path --". After "-- want --" it has one line "path:line: rule: words" for every expected problem, in order; the
// words are a part of the problem's text.
func TestRules(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			root, want := split(text)
			files, err := Read(root)
			require.NoError(t, err)
			got := Check(files)
			for i := range max(len(got), len(want)) {
				switch {
				case i >= len(got):
					t.Errorf("not found: %s", want[i])
				case i >= len(want):
					t.Errorf("too much: %s", got[i])
				default:
					head, words, _ := strings.Cut(want[i], ": ")
					rule, words, _ := strings.Cut(words, ": ")
					require.Equal(t, head+": "+rule, fmt.Sprintf("%s:%d: %s", got[i].Path, got[i].Line, got[i].Rule), "%s", got[i])
					require.Contains(t, got[i].Text, words)
				}
			}
		})
	}
}

// split returns the files of a test text and the lines of the expected problems.
func split(text []byte) (root fstest.MapFS, want []string) {
	root = fstest.MapFS{}
	name := ""
	for line := range bytes.Lines(text) {
		if s := strings.TrimSpace(string(line)); strings.HasPrefix(s, "-- ") && strings.HasSuffix(s, " --") {
			name = strings.TrimSpace(s[3 : len(s)-3])
			if name != "want" {
				root[name] = &fstest.MapFile{}
			}
			continue
		}
		switch s := strings.TrimSpace(string(line)); {
		case name == "want" && s != "":
			want = append(want, s)
		case name != "want" && name != "":
			root[name].Data = append(root[name].Data, line...)
		}
	}
	return root, want
}

// TestSizes makes a file and a function that are just too long, and just not.
func TestSizes(t *testing.T) {
	source := func(file, function int) fstest.MapFS {
		src := "// Package p is long.\npackage p\n\nfunc f() {\n" + strings.Repeat("\tf()\n", function-2) + "}\n\n"
		src += strings.Repeat("// words\n", max(file-strings.Count(src, "\n"), 0))
		return fstest.MapFS{"p/p.go": {Data: []byte(src)}}
	}
	for _, c := range []struct{ file, function, want int }{
		{fileLimit, funcLimit, 0},
		{fileLimit + 1, funcLimit, 1},
		{fileLimit, funcLimit + 1, 1},
		{fileLimit + 1, funcLimit + 1, 2},
	} {
		files, err := Read(source(c.file, c.function))
		require.NoError(t, err)
		require.Len(t, Check(files), c.want, "%d lines, function of %d", c.file, c.function)
		require.Len(t, Long(files), 2)
	}
}

// TestReadReportsWhatDoesNotParse also leaves testdata unread.
func TestReadReportsWhatDoesNotParse(t *testing.T) {
	_, err := Read(fstest.MapFS{"p/p.go": {Data: []byte("package")}, "p/testdata/q.go": {Data: []byte("no Go")}})
	require.ErrorContains(t, err, "p/p.go:1")
	require.NotContains(t, err.Error(), "testdata")
}

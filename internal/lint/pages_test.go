package lint

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// tree has the text of every file of the repository by its path, as far as the tests of pages read it.
type tree map[string]string

// readTree reads the repository, once: the text of Go files and pages, and the names of all others. Folders end in a slash.
var readTree = sync.OnceValues(func() (tree, error) {
	root, files := filepath.Join("..", ".."), tree{}
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) {
			return nil // a temporary file of another process, deleted meanwhile
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		switch rel = filepath.ToSlash(rel); {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || d.Name() == "testdata" && rel != "fuzz/testdata"):
			return filepath.SkipDir
		case d.IsDir():
			files[rel+"/"] = ""
		case path.Ext(rel) == ".go" || path.Ext(rel) == ".md":
			text, err := os.ReadFile(name)
			files[rel] = string(text)
			return err
		default:
			files[rel] = ""
		}
		return nil
	})
	return files, err
})

// has says whether a file or a folder has that path.
func (files tree) has(name string) bool {
	_, file := files[name]
	_, folder := files[name+"/"]
	return file || folder
}

// called returns the files that a page means by a name, which may leave out the first folders.
func (files tree) called(name string) []string {
	var found []string
	for p := range files {
		if strings.HasSuffix(p, name) && (p == name || p[len(p)-len(name)-1] == '/') {
			found = append(found, p)
		}
	}
	return found
}

// pages returns what is written for readers: every page but the changelog, which may name what is gone.
func (files tree) pages() map[string]string {
	pages := map[string]string{}
	for name, text := range files {
		if path.Ext(name) == ".md" && name != "CHANGELOG.md" {
			pages[name] = text
		}
	}
	return pages
}

// elsewhere are files that pages and comments name and that are not in the repository: what bench writes, and the sides of a patch.
var elsewhere = []string{"report/report.md", "a/zset/add.go", "b/zset/add.go"}

var (
	link     = regexp.MustCompile(`\]\(([^)#\s]+)(#[^)\s]*)?\)`)
	fileName = regexp.MustCompile(`(^|[^\w./*<>-])(([a-z_0-9-]+/)*[\w-]+\.(go|md))\b`)
	declared = regexp.MustCompile("`([A-Za-z]+)(?:\\.([A-Za-z]+))?`(?: \\(| in |, )`([a-z_/0-9]+\\.go)`|\\b([A-Z]\\w+)\\.(\\w+) in ([a-z_/0-9]+\\.go)\\b")
	promises = regexp.MustCompile(`([\w/]+/doc\.go)\W[^|]*?\b([A-Z]{1,2})1 to ([A-Z]{1,2}\d+)`)
)

// TestPagesLinkToWhatIsThere checks that each link of a page to the repository leads to a file or a folder.
func TestPagesLinkToWhatIsThere(t *testing.T) {
	files, err := readTree()
	require.NoError(t, err)
	links := 0
	for page, text := range files.pages() {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], ":") {
				continue
			}
			links++
			if !files.has(path.Join(path.Dir(page), m[1])) {
				t.Errorf("%s: the link to %s leads nowhere", page, m[1])
			}
		}
	}
	require.Greater(t, links, 50)
}

// TestNamedFilesAreThere checks that each Go file and each page that a page or a comment names exists, and that a function or type whose file a
// page names beside it is declared there.
func TestNamedFilesAreThere(t *testing.T) {
	files, err := readTree()
	require.NoError(t, err)
	named := 0
	check := func(where, text string) {
		if !strings.Contains(text, ".go") && !strings.Contains(text, ".md") {
			return
		}
		for _, m := range fileName.FindAllStringSubmatch(text, -1) {
			named++
			if !slices.Contains(elsewhere, m[2]) && len(files.called(m[2])) == 0 {
				t.Errorf("%s: there is no %s", where, m[2])
			}
		}
	}
	for page, text := range files.pages() {
		check(page, text)
		for _, m := range declared.FindAllStringSubmatch(strings.ReplaceAll(text, "\n", " "), -1) {
			first, second, file := m[1]+m[4], m[2]+m[5], m[3]+m[6]
			if !files.declares(first, second, file) {
				t.Errorf("%s: %s is not in %s", page, strings.Trim(first+"."+second, "."), file)
			}
		}
	}
	sources, err := Read(os.DirFS(filepath.Join("..", "..")))
	require.NoError(t, err)
	for _, f := range sources {
		for _, c := range f.AST.Comments {
			check(fmt.Sprintf("%s:%d", f.Path, f.Line(c.Pos())), c.Text())
		}
	}
	require.Greater(t, named, 500)
}

// declares says whether a file of that name declares a type, a function or, with a second name, a method or a function of that package.
func (files tree) declares(first, second, name string) bool {
	pattern := `(?m)^(type|var|const) ` + first + `\b|^func (\(\w+ \*?\w+(\[\w+\])?\) )?` + first + `\b|^	` + first + ` +=`
	if second != "" {
		pattern = `(?m)^func (\(\w+ \*?` + first + `(\[\w+\])?\) )?` + second + `\b|^	` + second + `\(`
	}
	for _, file := range files.called(name) {
		if regexp.MustCompile(pattern).MatchString(files[file]) {
			return true
		}
	}
	return false
}

// TestPagesCountInvariants checks that where a page says which invariants a doc.go has, the last one is the last there.
func TestPagesCountInvariants(t *testing.T) {
	files, err := readTree()
	require.NoError(t, err)
	ranges := 0
	for page, text := range files.pages() {
		for _, m := range promises.FindAllStringSubmatch(text, -1) {
			ranges++
			last := ""
			for _, defined := range regexp.MustCompile(`(?m)^//\s+(?:- |\d+\. )?(`+m[2]+`\d+)[.:]? `).FindAllStringSubmatch(files[m[1]], -1) {
				last = defined[1]
			}
			require.Equal(t, last, m[3], "%s: the last invariant of %s", page, m[1])
		}
	}
	require.Equal(t, 3, ranges)
}

// TestFrontPageIsShort: README.md has at most 110 lines, so that it is read in two screens. What is longer is on a page of docs.
func TestFrontPageIsShort(t *testing.T) {
	files, err := readTree()
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(files["README.md"], "\n"), 110)
}

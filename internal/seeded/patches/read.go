package patches

import (
	"bufio"
	"fmt"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Bug is a seeded bug.
type Bug struct {
	Name    string   // as seeded.Bug is asked for it
	Layer   string   // the layer of the code that it is in
	FoundBy []string // who must notice it
	Patch   string   // the file
	Files   []string // those that the patch changes, relative to the root of the module, with slashes
}

// Scripts is the value of Found-By for bugs that random scripts must find.
const Scripts = "scripts"

// Layers are those that have bugs, from the bottom up.
var Layers = []string{"listpack", "skiplist", "members", "zset", "persist", "engine", "board", "resp"}

// Folder is where the patches are, relative to the root of the module.
const Folder = "fuzz/testdata/bugs"

var (
	changedFile = regexp.MustCompile(`(?m)^\+\+\+ b/(.+)$`)
	askedName   = regexp.MustCompile(`seeded\.Bug\("([^"]*)"\)`)
)

// Read returns the bugs of the module whose root is given, in the order of their layers and patches.
func Read(root string) (list []Bug, err error) {
	patches, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(Folder), "*.patch"))
	if err != nil {
		return nil, err
	}
	if len(patches) == 0 {
		return nil, fmt.Errorf("no patches in %s of %s", Folder, root)
	}
	for _, patch := range patches {
		bug, err := read(patch)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", patch, err)
		}
		list = append(list, bug)
	}
	slices.SortStableFunc(list, func(a, b Bug) int { return slices.Index(Layers, a.Layer) - slices.Index(Layers, b.Layer) })
	return list, nil
}

// read reads one patch and checks its header, its files and the names of the bugs that it asks for.
func read(patch string) (bug Bug, err error) {
	data, err := os.ReadFile(patch)
	if err != nil {
		return bug, err
	}
	text := string(data)
	header, err := textproto.NewReader(bufio.NewReader(strings.NewReader(text))).ReadMIMEHeader()
	if err != nil {
		return bug, err
	}
	bug = Bug{Name: header.Get("Bug"), Layer: header.Get("Layer"), FoundBy: strings.Split(header.Get("Found-By"), ", "), Patch: patch}
	if bug.Name == "" || !slices.Contains(Layers, bug.Layer) || bug.FoundBy[0] == "" {
		return bug, fmt.Errorf("needs the lines Bug, Layer (one of %s) and Found-By", strings.Join(Layers, ", "))
	}
	for _, m := range changedFile.FindAllStringSubmatch(text, -1) {
		bug.Files = append(bug.Files, m[1])
	}
	asked := askedName.FindAllStringSubmatch(text, -1)
	if len(bug.Files) == 0 || len(asked) == 0 {
		return bug, fmt.Errorf("changes no file, or never asks seeded.Bug")
	}
	for _, m := range asked {
		if m[1] != bug.Name {
			return bug, fmt.Errorf("asks for %q, its line Bug says %q", m[1], bug.Name)
		}
	}
	return bug, nil
}

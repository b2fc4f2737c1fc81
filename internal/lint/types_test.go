package lint

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypesOnWindows386 checks the types of every package and of its tests for Windows, 32 bits and no cgo. It finds what a
// build for that system would, such as a constant too big for an int, and compiles nothing.
func TestTypesOnWindows386(t *testing.T) {
	packages := typeCheck(t, "windows", "386", "-test")
	require.Greater(t, len(packages), 100)
}

// typed is a package of the module as go list prints it, with its types. ImportMap has the imports that stand for another
// package: one that the standard library vendors, or one compiled with its tests.
type typed struct {
	ImportPath, Dir string
	GoFiles         []string
	ImportMap       map[string]string

	fset  *token.FileSet
	types *types.Package
	info  types.Info // Uses
}

// typeCheck checks the types of the module's packages from their source, and returns them. Outside the module it checks
// declarations only. Every error in the module fails the test. flags are those of go list.
func typeCheck(t *testing.T, system, arch string, flags ...string) (ours []*typed) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap"}, append(flags, "./...")...)...)
	cmd.Dir, cmd.Stderr = filepath.Join("..", ".."), os.Stderr
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
	text, err := cmd.Output()
	require.NoError(t, err)
	fset, checked := token.NewFileSet(), map[string]*types.Package{"unsafe": types.Unsafe}
	for in := json.NewDecoder(strings.NewReader(string(text))); ; { // a package comes after those that it imports
		p := typed{fset: fset}
		err := in.Decode(&p)
		if errors.Is(err, io.EOF) {
			return ours
		}
		require.NoError(t, err)
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		if p.check(t, arch, checked); strings.HasPrefix(p.ImportPath, module) {
			ours = append(ours, &p)
		}
	}
}

// check sets the types of p, and adds them to checked, which has those of the packages that p imports.
func (p *typed) check(t *testing.T, arch string, checked map[string]*types.Package) {
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(p.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	ours := strings.HasPrefix(p.ImportPath, module)
	conf := types.Config{IgnoreFuncBodies: !ours, Sizes: types.SizesFor("gc", arch), Importer: earlier{p.ImportMap, checked}}
	conf.Error = func(err error) {
		if ours {
			t.Error(err)
		}
	}
	if ours {
		p.info.Uses = map[*ast.Ident]types.Object{}
	}
	p.types, _ = conf.Check(p.ImportPath, p.fset, files, &p.info) // Error has seen every problem
	checked[p.ImportPath] = p.types
}

// earlier imports packages that were checked before.
type earlier struct {
	renamed map[string]string
	checked map[string]*types.Package
}

func (e earlier) Import(path string) (*types.Package, error) {
	if other := e.renamed[path]; other != "" {
		path = other
	}
	if p := e.checked[path]; p != nil {
		return p, nil
	}
	return nil, errors.New("not listed: " + path)
}

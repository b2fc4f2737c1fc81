package lint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// File is one Go file of the repository.
type File struct {
	Path string // from the repository's root, with slashes
	Src  []byte
	AST  *ast.File
	Fset *token.FileSet
}

// String returns the problem as a compiler would print it.
func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s: %s", p.Path, p.Line, p.Rule, p.Text) }

// Read parses every Go file below a root, except in testdata and in folders whose names begin with a dot or an underscore. It returns
// the files that parse, and an error for those that do not.
func Read(root fs.FS) ([]*File, error) {
	var files []*File
	var errs []error
	fset := token.NewFileSet()
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a temporary file of another process, deleted meanwhile
		}
		if err != nil {
			return err
		}
		base := path.Base(name)
		if d.IsDir() {
			if name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_') {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		tree, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		files = append(files, &File{Path: name, Src: src, AST: tree, Fset: fset})
		return nil
	})
	return files, errors.Join(append(errs, err)...)
}

// Dir returns the folder the file is in, "." for the root.
func (f *File) Dir() string { return path.Dir(f.Path) }

// IsTest says whether the file is built by go test only.
func (f *File) IsTest() bool { return strings.HasSuffix(f.Path, "_test.go") }

// IsMain says whether the file belongs to a program.
func (f *File) IsMain() bool { return f.AST.Name.Name == "main" }

// In says whether the file is in a folder or below it.
func (f *File) In(folder string) bool { return within(f.Dir(), folder) }

// within says whether a path is another path or below it.
func within(name, folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") }

// Line returns the line of a position.
func (f *File) Line(p token.Pos) int { return f.Fset.Position(p).Line }

func (f *File) problem(p token.Pos, rule, format string, args ...any) Problem {
	return Problem{f.Path, f.Line(p), rule, fmt.Sprintf(format, args...)}
}

// imported is one import of a file: its path and the name the file knows it by.
type imported struct {
	path, name string
	pos        token.Pos
}

// imports returns what the file imports.
func (f *File) imports() []imported {
	var list []imported
	for _, spec := range f.AST.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it
		}
		known := path.Base(name)
		if spec.Name != nil {
			known = spec.Name.Name
		}
		list = append(list, imported{name, known, spec.Pos()})
	}
	return list
}

// Problem is one breach of one rule.
type Problem struct {
	Path string
	Line int
	Rule string
	Text string // what is wrong and what to do
}

// Package fieldcomments reads the comments of the fields of structs from the source of this module, for schemas that describe them. Tests use it: programs have what these
// have stored.
package fieldcomments

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// Read returns the comments of the fields of all structs of a folder, each as one line, under names such as board.Spec.Op. A field without one has that of the field before
// it: From and To. Errors: those of the files.
func Read(folder string) (map[string]string, error) {
	comments := map[string]string{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok {
				if s, ok := t.Type.(*ast.StructType); ok {
					readFields(comments, file.Name.Name+"."+t.Name.Name, s)
				}
			}
			return true
		})
	}
	return comments, nil
}

func readFields(comments map[string]string, name string, s *ast.StructType) {
	last := ""
	for _, f := range s.Fields.List {
		if text := OneLine(f.Doc) + OneLine(f.Comment); text != "" {
			last = text
		}
		for _, field := range f.Names {
			comments[name+"."+field.Name] = last
		}
	}
}

// OneLine returns a comment as one line.
func OneLine(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }

package lint

import (
	"flag"
	"go/ast"
	"go/printer"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writeAPI makes TestAPI store what the packages export: go test ./internal/lint -run TestAPI -args -api.
var writeAPI = flag.Bool("api", false, "write testdata/api")

// promised are the packages whose exported names programs count on.
var promised = []string{
	".", "zranktest",
	"board", "board/archive", "board/audit", "board/awards", "board/cluster", "board/feed", "board/load", "board/local", "board/move", "board/remote", "board/rules", "board/window",
	"engine", "engine/delayqueue", "engine/ratelimit", "listpack", "persist", "persist/wal", "rdb", "skiplist", "zset",
	"server/access", "server/admin", "server/api", "server/metrics", "server/resp",
}

// TestAPI compares what the promised packages export with testdata/api: a change that breaks programs, or gives them another name, is made on purpose, with the new
// file in the same commit and a line in CHANGELOG.md.
func TestAPI(t *testing.T) {
	files, err := Read(os.DirFS(filepath.Join("..", "..")))
	require.NoError(t, err)
	for _, folder := range promised {
		var all []string
		for _, f := range files {
			if f.Dir() == folder && !f.IsTest() {
				all = append(all, exported(t, f)...)
			}
		}
		slices.Sort(all)
		got := strings.Join(all, "\n") + "\n"
		name := filepath.Join("testdata", "api", strings.ReplaceAll(path.Join("zrank", folder), "/", ".")+".txt")
		if *writeAPI {
			require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
		}
		want, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, string(want), got, "%s exports something else; if that is meant: go test ./internal/lint -run TestAPI -args -api", folder)
	}
}

// exported returns the exported declarations of a file as text: without comments, bodies and what is not exported.
func exported(t *testing.T, f *File) (all []string) {
	tree := *f.AST
	tree.Decls = slices.Clone(tree.Decls)
	for _, d := range tree.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv != nil && !ast.IsExported(receiver(fn)) || !ast.FilterDecl(d, ast.IsExported) {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok {
				field.Doc, field.Comment = nil, nil
			}
			return true
		})
		for _, one := range parts(d) {
			var text strings.Builder
			require.NoError(t, printer.Fprint(&text, token.NewFileSet(), one))
			all = append(all, strings.Join(strings.Fields(text.String()), " "))
		}
	}
	return all
}

// parts returns the declarations of a group one by one, without comments and bodies.
func parts(d ast.Decl) (all []ast.Node) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		all = append(all, &ast.FuncDecl{Recv: d.Recv, Name: d.Name, Type: d.Type})
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				all = append(all, &ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{&ast.TypeSpec{Name: s.Name, TypeParams: s.TypeParams, Assign: s.Assign, Type: s.Type}}})
			case *ast.ValueSpec:
				all = append(all, &ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{&ast.ValueSpec{Names: s.Names, Type: s.Type, Values: s.Values}}})
			}
		}
	}
	return all
}

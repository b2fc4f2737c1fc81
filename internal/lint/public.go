package lint

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// described are the folders where every exported field of a struct and every method of an interface has a comment of its own.
var described = []string{
	".", "zranktest",
	"board", "board/archive", "board/audit", "board/awards", "board/cluster", "board/feed", "board/load", "board/local", "board/move", "board/remote", "board/rules", "board/window",
	"engine", "engine/delayqueue", "engine/ratelimit", "listpack", "persist", "persist/wal", "rdb", "skiplist", "zset",
	"server/access", "server/admin", "server/api", "server/metrics", "server/resp",
}

// aliases checks that no public package has another name for a type of an internal one: godoc shows neither its fields nor its methods.
func aliases(f *File) []Problem {
	if f.IsTest() || isInternal(f.Dir()) {
		return nil
	}
	internal := map[string]bool{}
	for _, i := range f.AST.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err == nil && strings.HasPrefix(name, module) && isInternal(name) && i.Name == nil {
			internal[name[strings.LastIndexByte(name, '/')+1:]] = true
		}
	}
	var problems []Problem
	for _, t := range typesOf(f) {
		x := t.Type
		if i, ok := x.(*ast.IndexExpr); ok {
			x = i.X
		}
		s, ok := x.(*ast.SelectorExpr)
		if !ok || !t.Assign.IsValid() || !t.Name.IsExported() {
			continue
		}
		if of, ok := s.X.(*ast.Ident); ok && internal[of.Name] {
			problems = append(problems, f.problem(t.Pos(), "alias", "%s is another name for a type of an internal package; declare the type here", t.Name.Name))
		}
	}
	return problems
}

// fields checks that each exported field and each method of an interface says what it is, where described says so.
func fields(f *File) []Problem {
	if f.IsTest() || !slices.Contains(described, f.Dir()) {
		return nil
	}
	var problems []Problem
	for _, t := range typesOf(f) {
		var list *ast.FieldList
		switch x := t.Type.(type) {
		case *ast.StructType:
			list = x.Fields
		case *ast.InterfaceType:
			list = x.Methods
		}
		if list == nil || !t.Name.IsExported() {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if name.IsExported() && field.Doc == nil && field.Comment == nil {
					problems = append(problems, f.problem(name.Pos(), "doc", "%s.%s has no comment; say what it is, its unit, its range", t.Name.Name, name.Name))
				}
			}
		}
	}
	return problems
}

// typesOf returns the declarations of types of a file.
func typesOf(f *File) (all []*ast.TypeSpec) {
	for _, d := range f.AST.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if t, ok := s.(*ast.TypeSpec); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// isInternal says whether the path of a package, or of a folder, is internal.
func isInternal(name string) bool {
	return slices.Contains(strings.Split(name, "/"), "internal")
}

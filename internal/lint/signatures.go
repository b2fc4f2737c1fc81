package lint

import (
	"go/ast"
	"go/types"
	"slices"
)

// waiting are the folders whose interfaces say what may wait: each of their methods that can fail takes a context, but for Close, which is
// that of io.Closer.
var waiting = []string{"board"}

// signatures checks exported functions and methods of public packages: a context is the first parameter, and an error the last result.
func signatures(f *File) []Problem {
	if f.IsTest() || isInternal(f.Dir()) {
		return nil
	}
	var problems []Problem
	for _, d := range f.AST.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
			problems = append(problems, signature(f, fn.Name, fn.Type)...)
		}
	}
	for _, t := range typesOf(f) {
		x, ok := t.Type.(*ast.InterfaceType)
		if !ok || !t.Name.IsExported() {
			continue
		}
		for _, m := range x.Methods.List {
			fn, ok := m.Type.(*ast.FuncType)
			if !ok || !m.Names[0].IsExported() {
				continue
			}
			problems = append(problems, signature(f, m.Names[0], fn)...)
			mayWait := slices.Contains(waiting, f.Dir()) && m.Names[0].Name != "Close" && canFail(fn)
			if mayWait && !slices.Contains(typesIn(fn.Params), "context.Context") {
				problems = append(problems, f.problem(m.Pos(), "context",
					"%s.%s can fail and takes no context.Context: who calls it may have to wait", t.Name.Name, m.Names[0].Name))
			}
		}
	}
	return problems
}

// signature checks the order of the parameters and of the results of one function.
func signature(f *File, name *ast.Ident, fn *ast.FuncType) (problems []Problem) {
	if slices.Index(typesIn(fn.Params), "context.Context") > 0 {
		problems = append(problems, f.problem(name.Pos(), "context", "%s takes a context.Context that is not its first parameter", name.Name))
	}
	results := typesIn(fn.Results)
	if i := slices.Index(results, "error"); i >= 0 && i != len(results)-1 {
		problems = append(problems, f.problem(name.Pos(), "error", "%s returns an error that is not its last result", name.Name))
	}
	return problems
}

// canFail says whether a function returns an error, or a sequence that yields errors.
func canFail(fn *ast.FuncType) bool {
	if fn.Results == nil {
		return false
	}
	found := false
	ast.Inspect(fn.Results, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "error"
		return true
	})
	return found
}

// typesIn returns the types of parameters or results as the source writes them, one for each name.
func typesIn(list *ast.FieldList) (all []string) {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			all = append(all, types.ExprString(field.Type))
		}
	}
	return all
}

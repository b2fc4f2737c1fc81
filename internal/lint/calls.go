package lint

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// calls checks what a file uses: a library does not sleep, print, exit or panic, and no code bypasses the type system.
func calls(f *File) []Problem {
	var problems []Problem
	for _, u := range uses(f) {
		if advice := f.refuses(u.what); advice != "" && !excused(f.Path, u.where, u.what) {
			problems = append(problems, f.problem(u.node.Pos(), "calls", "%s in %s: %s", u.what, u.where, advice))
		}
	}
	return append(problems, linknames(f)...)
}

// use is a place where something of another package, or a builtin that stops or prints, is used.
type use struct {
	node  ast.Node
	where string // the function
	what  string
}

// uses lists the uses in a file.
func uses(f *File) []use {
	names := map[string]string{} // the package that a name in this file stands for
	for _, imp := range f.imports() {
		names[imp.name] = imp.path
	}
	var list []use
	for _, decl := range f.AST.Decls {
		where := "a declaration"
		if d, ok := decl.(*ast.FuncDecl); ok {
			where = function{decl: d}.name()
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if what := used(n, names); what != "" {
				list = append(list, use{n, where, what})
			}
			return true
		})
	}
	return list
}

// used returns what a node uses: "path.Name" of an import, "panic", "print" or "println", or "".
func used(n ast.Node, names map[string]string) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if ok && x.Obj == nil && names[x.Name] != "" {
			return names[x.Name] + "." + n.Sel.Name
		}
	case *ast.CallExpr:
		x, ok := n.Fun.(*ast.Ident)
		if ok && x.Obj == nil && slices.Contains([]string{"panic", "print", "println"}, x.Name) {
			return x.Name
		}
	}
	return ""
}

// refuses says why a file must not use something, or "".
func (f *File) refuses(what string) string {
	library := !f.IsTest() && !f.IsMain()
	harness := f.In("bench") || f.In("fuzz") // stops at the first surprise
	switch {
	case strings.HasPrefix(what, "unsafe.") && what != "unsafe.Sizeof":
		return "only unsafe.Sizeof is used here; more needs a benchmark that says why, and an exception in internal/lint/allow.go"
	case slices.Contains([]string{vfs + ".MemFS", vfs + ".NewMem", vfs + ".NewCrashableMem"}, what) && !f.In(memfs):
		return "Pebble's file system in memory deadlocks where CrashClone runs beside Link, ReuseForWrite or Lock; " +
			"use internal/memfs, or persist.MemFS if no power cut is wanted"
	case what == "time.Sleep" && !f.IsMain() && !f.bubble():
		return "wait for what happens, or take the clock that is handed in; tests of time run in testing/synctest"
	case what == "os.Exit" && !f.IsMain():
		return "only a program may end the process; return an error"
	case library && (strings.HasPrefix(what, "fmt.Print") || what == "print" || what == "println"):
		return "a library prints nothing; write to the io.Writer that is handed in"
	case library && strings.HasPrefix(what, "log."):
		return "a library logs to the *slog.Logger that is handed in"
	case library && !harness && what == "panic":
		return "return an error for what a caller or a disk can do; internal/invariants reports our own bugs; " +
			"anything else needs an exception in internal/lint/allow.go"
	}
	return ""
}

// bubble says whether the file's tests run in testing/synctest, where Sleep advances the fake clock.
func (f *File) bubble() bool {
	return f.IsTest() && slices.ContainsFunc(f.imports(), func(i imported) bool { return i.path == "testing/synctest" })
}

// linknames finds names taken from other packages behind the compiler's back.
func linknames(f *File) []Problem {
	var problems []Problem
	for _, group := range f.AST.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname ") {
				problems = append(problems, f.problem(c.Pos(), "calls", "go:linkname breaks with the next Go; use what is exported"))
			}
		}
	}
	return problems
}

// Stale lists the exceptions that nothing needs any more.
func Stale(files []*File) []string {
	needed := map[exception]bool{}
	for _, f := range files {
		for _, u := range uses(f) {
			needed[exception{path: f.Path, function: u.where, what: u.what}] = true
		}
	}
	var stale []string
	for _, e := range exceptions {
		if e.why = ""; !needed[e] {
			stale = append(stale, fmt.Sprintf("%s: %s uses no %s; take the exception out of internal/lint/allow.go", e.path, e.function, e.what))
		}
	}
	return stale
}

package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
)

const (
	fileLines, fileLimit = 400, 450 // what the house wants, and what it bears
	funcLines, funcLimit = 40, 60
)

// sizes checks the lengths of a file and of its functions.
func sizes(f *File) []Problem {
	var problems []Problem
	if n := bytes.Count(f.Src, []byte("\n")); n > fileLimit {
		problems = append(problems, f.problem(f.AST.Package, "size",
			"%d lines; the house wants about %d and bears %d: which second idea could be a file?", n, fileLines, fileLimit))
	}
	for _, fn := range functions(f) {
		if fn.lines > funcLimit {
			problems = append(problems, f.problem(fn.decl.Pos(), "size",
				"%s has %d lines; the house wants about %d and bears %d: which step deserves a name?", fn.name(), fn.lines, funcLines, funcLimit))
		}
	}
	return problems
}

// Long lists files and functions that are within the hard limits and above the wanted size: a reason to look again.
func Long(files []*File) []string {
	var list []string
	for _, f := range files {
		if n := bytes.Count(f.Src, []byte("\n")); n > fileLines {
			list = append(list, fmt.Sprintf("%s: %d lines", f.Path, n))
		}
		for _, fn := range functions(f) {
			if fn.lines > funcLines {
				list = append(list, fmt.Sprintf("%s:%d: %s has %d lines", f.Path, f.Line(fn.decl.Pos()), fn.name(), fn.lines))
			}
		}
	}
	return list
}

// function is a function and its length, from its name to its last brace.
type function struct {
	decl  *ast.FuncDecl
	lines int
}

func functions(f *File) []function {
	var list []function
	for _, decl := range f.AST.Decls {
		if d, ok := decl.(*ast.FuncDecl); ok {
			list = append(list, function{d, f.Line(d.End()) - f.Line(d.Pos()) + 1})
		}
	}
	return list
}

// name returns "Func" or "Type.Method".
func (fn function) name() string {
	if fn.decl.Recv != nil {
		return receiver(fn.decl) + "." + fn.decl.Name.Name
	}
	return fn.decl.Name.Name
}

// formatted checks that gofmt would leave the file as it is.
func formatted(f *File) []Problem {
	want, err := format.Source(f.Src)
	if err != nil || bytes.Equal(want, f.Src) {
		return nil // Read has reported a file that does not parse
	}
	line := 1
	for i := range min(len(want), len(f.Src)) {
		if want[i] != f.Src[i] {
			break
		}
		if want[i] == '\n' {
			line++
		}
	}
	return []Problem{{f.Path, line, "format", "run gofmt -w " + f.Path}}
}

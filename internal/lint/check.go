package lint

import (
	"cmp"
	"slices"
)

// Check applies every rule.
func Check(files []*File) []Problem {
	var problems []Problem
	for _, f := range files {
		for _, rule := range []func(*File) []Problem{arrows, exportedDocs, aliases, fields, signatures, sizes, calls, formatted} {
			problems = append(problems, rule(f)...)
		}
	}
	problems = append(problems, packageDocs(files)...)
	slices.SortFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	return problems
}

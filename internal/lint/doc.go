// Package lint checks the house rules in a test: go test ./internal/lint reads every Go file of the repository, with any build tags,
// and says what to do about each breach.
//
// The rules, one file each:
//
//   - arrows: imports point down the page of the design, and dependencies stay in the folder that wraps them.
//   - doc: a package has a doc comment that godoc shows, and so has every exported identifier.
//   - alias: a public package declares its types itself.
//   - size: a file and a function can be read in one sitting.
//   - calls: a library does not sleep, print, exit, panic or bypass the type system; all code, tests too, uses internal/memfs for
//     files in memory.
//   - format: gofmt has nothing to say.
//
// A rule that is wrong in one place gets an exception with its reason in allow.go. An exception that nothing needs any more
// is a breach too.
//
// # Where things are
//
//	check.go            Check: all rules
//	source.go           files and problems
//	arrows.go           which folder may import which
//	public.go           no aliases of internal types; comments of fields and methods
//	signatures.go       a context comes first, an error last
//	docs.go             doc comments, package docs, and that "Where things are" is complete
//	calls.go, allow.go  what may not be called, and the exceptions
//	sizes.go            long files and functions
package lint

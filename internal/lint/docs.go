package lint

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
)

// packageDocs checks that every package has one doc comment that godoc shows. Test files count in packages of tests alone.
func packageDocs(files []*File) []Problem {
	packages := map[string][]*File{}
	for _, f := range files {
		name := strings.TrimSuffix(f.AST.Name.Name, "_test")
		packages[f.Dir()+" "+name] = append(packages[f.Dir()+" "+name], f)
	}
	var problems []Problem
	for _, all := range packages {
		shown := slices.DeleteFunc(slices.Clone(all), (*File).IsTest)
		if len(shown) == 0 {
			shown = all
		}
		problems = append(problems, packageDoc(shown)...)
	}
	return problems
}

// packageDoc checks one package: it must have exactly one doc comment, which begins as godoc wants, is not detached from the package
// clause, and lists all files.
func packageDoc(files []*File) []Problem {
	f := files[0]
	begin := "Package " + strings.TrimSuffix(f.AST.Name.Name, "_test")
	if f.IsMain() {
		begin = "Command "
	}
	var problems []Problem
	var docs []*File
	for _, f := range files {
		if f.AST.Doc == nil {
			continue
		}
		if text := f.AST.Doc.Text(); text != "" && !strings.HasPrefix(text, begin) {
			problems = append(problems, f.problem(f.AST.Package, "doc",
				"the comment above the package clause becomes the package's doc; begin it with %q or part it with a blank line", begin))
		}
		docs = append(docs, f)
	}
	if len(docs) > 1 && len(problems) == 0 {
		problems = append(problems, docs[1].problem(docs[1].AST.Package, "doc",
			"the package has a doc in %s too; keep one, in doc.go", path.Base(docs[0].Path)))
	}
	if len(docs) > 0 {
		return append(problems, unlisted(docs[0], files)...)
	}
	for _, f := range files {
		if c := detached(f, begin); c != nil {
			return append(problems, f.problem(c.Pos(), "doc", "godoc does not show this; remove the blank line before the package clause"))
		}
	}
	return append(problems, f.problem(f.AST.Package, "doc",
		"the package has no doc; say what it is for in doc.go, in a comment that begins with %q", begin))
}

// whereHeading begins the list of a package's files in its doc.
const whereHeading = "# Where things are"

// unlisted returns the files of a package that the list in its doc leaves out, if it has one.
func unlisted(doc *File, files []*File) (problems []Problem) {
	_, list, has := strings.Cut(doc.AST.Doc.Text(), whereHeading)
	if !has {
		return nil
	}
	for _, f := range files {
		if name := path.Base(f.Path); f.Path != doc.Path && !f.IsTest() && !strings.Contains(list, name) {
			problems = append(problems, f.problem(f.AST.Package, "where", "%s does not list %s under %q; say there what the file has", doc.Path, name, whereHeading))
		}
	}
	return problems
}

// detached returns a comment that begins like a package doc but does not touch the package clause.
func detached(f *File, begin string) *ast.CommentGroup {
	for _, c := range f.AST.Comments {
		if c.End() < f.AST.Package && strings.HasPrefix(c.Text(), begin) {
			return c
		}
	}
	return nil
}

// exportedDocs checks that every exported identifier of a package has a comment.
func exportedDocs(f *File) []Problem {
	if f.IsTest() || f.IsMain() {
		return nil
	}
	var problems []Problem
	missing := func(pos token.Pos, what, name string) {
		problems = append(problems, f.problem(pos, "doc", "%s %s has no doc comment; say what it does, what it costs and how it fails", what, name))
	}
	for _, decl := range f.AST.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && (d.Recv == nil || ast.IsExported(receiver(d))) {
				missing(d.Pos(), "function", d.Name.Name)
			} else if d.Name.IsExported() && f.isStructure() && !strings.Contains(d.Doc.Text(), "O(") {
				problems = append(problems, f.problem(d.Pos(), "doc", "function %s does not say what it costs; end its comment with O(…)", d.Name.Name))
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				for _, name := range undocumented(d, spec) {
					missing(name.Pos(), d.Tok.String(), name.Name)
				}
			}
		}
	}
	return problems
}

// isStructure says whether the file is one of the data structures, whose callers count on costs.
func (f *File) isStructure() bool {
	return f.In("zset") || f.In("skiplist") || f.In("listpack")
}

// undocumented returns the exported names of a type, const or var that no comment speaks of: not its own, not that at the
// end of its line, not that of its group.
func undocumented(d *ast.GenDecl, spec ast.Spec) []*ast.Ident {
	var names []*ast.Ident
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if d.Doc == nil && s.Doc == nil && s.Comment == nil {
			names = append(names, s.Name)
		}
	case *ast.ValueSpec:
		if d.Doc == nil && s.Doc == nil && s.Comment == nil {
			names = s.Names
		}
	}
	return slices.DeleteFunc(slices.Clone(names), func(n *ast.Ident) bool { return !n.IsExported() })
}

// receiver returns the name of the type a method belongs to.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch u := t.(type) {
		case *ast.StarExpr:
			t = u.X
		case *ast.IndexExpr:
			t = u.X
		case *ast.IndexListExpr:
			t = u.X
		case *ast.Ident:
			return u.Name
		default:
			return ""
		}
	}
}

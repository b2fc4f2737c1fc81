package lint

import (
	"go/types"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// circular are the packages whose files may refer to each other both ways, with the reason.
var circular = map[string]string{
	"engine": "scheduling an expiry starts the goroutine that drops expired sets, which it does by transactions",
}

// TestFilesOneWay checks that the references between the files of a package, without tests, form no cycle.
func TestFilesOneWay(t *testing.T) {
	for _, p := range typeCheck(t, runtime.GOOS, runtime.GOARCH) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		circle := circleIn(references(p))
		if circular[name] != "" {
			require.NotEmpty(t, circle, "%s is no longer circular: take it out of the list", name)
		} else if len(circle) > 0 {
			t.Errorf("%s: files refer to each other in a circle: %s; move the declaration that several files use below them",
				name, strings.Join(circle, " -> "))
		}
	}
}

// references returns, for each file of a package, the other files that declare the identifiers it uses.
func references(p *typed) map[string]map[string]bool {
	refs := map[string]map[string]bool{}
	for id, o := range p.info.Uses {
		if o.Pkg() != p.types || !o.Pos().IsValid() || local(o) {
			continue
		}
		from, to := filepath.Base(p.fset.Position(id.Pos()).Filename), filepath.Base(p.fset.Position(o.Pos()).Filename)
		if refs[from] == nil {
			refs[from] = map[string]bool{}
		}
		if from != to {
			refs[from][to] = true
		}
	}
	return refs
}

// local reports whether an object belongs to a function or a file. Fields and methods do not.
func local(o types.Object) bool {
	if v, ok := o.(*types.Var); ok && v.IsField() {
		return false
	}
	_, method := o.(*types.Func)
	return !method && o.Parent() != o.Pkg().Scope()
}

// circleIn returns a cycle of references as a list of files, whose last file is the first one again; nil if there is none. It searches
// depth-first.
func circleIn(refs map[string]map[string]bool) (circle []string) {
	const visiting, visited = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(file string) bool
	visit = func(file string) bool {
		state[file] = visiting
		path = append(path, file)
		for _, next := range slices.Sorted(maps.Keys(refs[file])) {
			if state[next] == visiting {
				circle = append(slices.Clone(path[slices.Index(path, next):]), next)
				return true
			}
			if state[next] == 0 && visit(next) {
				return true
			}
		}
		path, state[file] = path[:len(path)-1], visited
		return false
	}
	for _, file := range slices.Sorted(maps.Keys(refs)) {
		if state[file] == 0 && visit(file) {
			return circle
		}
	}
	return nil
}

func TestCircleIn(t *testing.T) {
	refs := func(edges ...string) map[string]map[string]bool {
		m := map[string]map[string]bool{}
		for _, e := range edges {
			from, to, _ := strings.Cut(e, ">")
			if m[from] == nil {
				m[from] = map[string]bool{}
			}
			m[from][to] = true
		}
		return m
	}
	require.Nil(t, circleIn(refs("a>b", "a>c", "b>d", "c>d")))
	require.Equal(t, []string{"b", "c", "b"}, circleIn(refs("a>b", "b>c", "c>b")))
}

package ops

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
)

// notInTable are the methods of the contract that are no operations, with the reason.
var notInTable = map[string]string{
	"Board.Name": "is known by who asks", "Board.Spec": "GetBoard answers it", "Board.Version": "GetBoard answers it",
	"Board.Live": "a Locator", "Board.Period": "a Locator", "Board.At": "a Locator", "Board.Latest": "a Locator", "Board.LastClosed": "a Locator",
	"Board.AsOf": "a Locator", "Board.AsOfRow": "a Locator", "Board.Baseline": "a Locator", "Store.StoredUnion": "a UnionLocator",
	"Store.Union": "a door that keeps rankings has it: pins of HTTP", "Store.Feed": "a stream: doors have their own", "Store.Events": "a stream: doors have their own",
	"Store.CloseDue": "who has the boards closes periods", "Store.Close": "who has the boards closes them",
	"Groups.Kind": "is known by who asks",
	"Ranking.By":  "Moded", "Ranking.At": "Places of one place", "Ranking.AppendTop": "Top", "Ranking.AppendPlaces": "Places", "Ranking.AppendAround": "Around",
	"Ranking.All": "Page after Page", "Ranking.View": "a door that keeps rankings has it: pins of HTTP", "Ranking.Pin": "a door that keeps rankings has it: pins of HTTP",
}

// TestContract: every method of the contract is named by the comment of an operation that calls it, or is in notInTable.
func TestContract(t *testing.T) {
	named := regexp.MustCompile(`board\.(Store|Board|Groups|Ranking)\.(\w+)((?:, \w+)*(?: and \w+)?)`)
	called := map[string]bool{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasSuffix(name, "_test.go") || name == "doc.go" {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			for _, method := range append([]string{m[2]}, strings.FieldsFunc(strings.ReplaceAll(m[3], " and ", ","), func(r rune) bool { return r == ',' || r == ' ' })...) {
				called[m[1]+"."+method] = true
			}
		}
	}
	called["Groups.All"] = true // ListGroups is two methods of two interfaces
	for name, of := range map[string]reflect.Type{
		"Store": reflect.TypeFor[board.Store](), "Board": reflect.TypeFor[board.Board](), "Groups": reflect.TypeFor[board.Groups](), "Ranking": reflect.TypeFor[board.Ranking](),
	} {
		for i := range of.NumMethod() {
			method := name + "." + of.Method(i).Name
			_, other := notInTable[method]
			require.True(t, called[method] != other, "%s: in the table %t, in the list of others %t", method, called[method], other)
		}
	}
}

// TestAll: every operation that is declared is in All, once, with a summary, and with arguments that its route names.
func TestAll(t *testing.T) {
	declared := map[string]bool{}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					v := s.(*ast.ValueSpec)
					if call, ok := isCall(v); ok && v.Names[0].IsExported() && makes[call] {
						declared[v.Names[0].Name] = true
					}
				}
			}
		}
	}
	ids := map[string]bool{}
	for _, op := range All() {
		require.False(t, ids[op.ID], op.ID)
		ids[op.ID] = true
		require.NotEmpty(t, op.Summary, op.ID)
		if !op.IsRead() {
			require.NotEmpty(t, op.Heading, op.ID)
		}
		path := op.Path()
		for _, p := range ParamsOf(op.Args()) {
			if p.In == InPath {
				require.Contains(t, path, "{"+p.Name+"}", op.ID)
				path = strings.Replace(path, "{"+p.Name+"}", "", 1)
			}
			require.NotEmpty(t, p.Field.Tag.Get("doc"), "%s: %s", op.ID, p.Name)
		}
		require.NotContains(t, path, "{", op.ID)
	}
	require.Len(t, ids, len(declared))
}

// makes are the functions that make rows of the table.
var makes = map[string]bool{"onStore": true, "onBoard": true, "onKind": true, "onRanking": true, "onWindow": true, "own": true, "acting": true, "actingOnTwo": true, "joining": true}

func isCall(v *ast.ValueSpec) (name string, ok bool) {
	if len(v.Values) != 1 {
		return "", false
	}
	call, ok := v.Values[0].(*ast.CallExpr)
	if !ok {
		return "", false
	}
	f, ok := call.Fun.(*ast.Ident)
	if !ok {
		return "", false
	}
	return f.Name, true
}

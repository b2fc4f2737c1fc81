package specschema

import (
	"encoding"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/internal/fieldcomments"
)

// object is a JSON object.
type object = map[string]any

// maker makes schemas of types. Names are those of the package, the type and the field: board.Spec.Op.
type maker struct {
	t        *testing.T
	comments map[string]string   // of fields
	values   map[string][]object // constants of types of text, with "const" and "description"
	limits   map[string]object   // what is known of fields beside their types
}

// newMaker reads the source of the packages that a spec has types of.
func newMaker(t *testing.T) *maker {
	m := &maker{t: t, comments: map[string]string{}, values: map[string][]object{}, limits: limits()}
	for _, dir := range []string{"board", "board/rules", "board/window", "board/awards"} {
		folder := filepath.Join("..", "..", dir)
		comments, err := fieldcomments.Read(folder)
		require.NoError(t, err)
		maps.Copy(m.comments, comments)
		paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
			require.NoError(t, err)
			m.read(file)
		}
	}
	return m
}

// read reads the comments of constants.
func (m *maker) read(file *ast.File) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		of, ok := spec.Type.(*ast.Ident)
		if text, isText := spec.Values[0].(*ast.BasicLit); ok && isText && text.Kind == token.STRING {
			value, _ := strconv.Unquote(text.Value)
			name := file.Name.Name + "." + of.Name
			m.values[name] = append(m.values[name], object{"const": value, "description": fieldcomments.OneLine(spec.Doc)})
		}
		return true
	})
}

// nameOf returns the name of a type.
func nameOf(t reflect.Type) string {
	return t.PkgPath()[strings.LastIndexByte(t.PkgPath(), '/')+1:] + "." + t.Name()
}

const (
	durationPattern = `\+?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)`
	instantPattern  = `[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})`
	namePattern     = `[A-Za-z0-9_-]`
	noControls      = `\x00-\x1f\x7f-\x9f`
	shortPattern    = `^(` + namePattern + `+=)?(all|hour|day|month|year|week(-(monday|tuesday|wednesday|thursday|friday|saturday|sunday))?|every-` + durationPattern +
		`(-` + instantPattern + `)?|rolling-` + durationPattern + `(-` + durationPattern + `)?)(@[A-Za-z0-9_+/-]+)?(\+(forever|` + durationPattern + `))?(#[0-9]+)?$`
)

// schema returns the schema of a type.
func (m *maker) schema(t reflect.Type) object {
	switch t {
	case reflect.TypeFor[rules.Value]():
		return object{"type": "number"}
	case reflect.TypeFor[rules.Score]():
		column := object{"type": []string{"number", "null"}, "description": "The value of a column; null is absent."}
		return object{"anyOf": []object{{"type": "number"}, {"type": "array", "items": column, "minItems": 1, "maxItems": rules.MaxColumns}}}
	case reflect.TypeFor[window.Window]():
		return object{"anyOf": []object{m.object(t), {"type": "string", "pattern": shortPattern,
			"description": "A window as one word: [name=]kind[-detail][@zone][+grace][#keep].", "examples": []string{"all", "week-sunday@America/New_York", "nightly=day@Europe/Berlin+10m#30",
				"every-3h", "rolling-168h-1h"}}}}
	case reflect.TypeFor[window.Duration]():
		return object{"type": "string", "pattern": `^(forever|` + durationPattern + `)$`, "examples": []string{"1h30m", "48h", "forever"}}
	case reflect.TypeFor[time.Time]():
		return object{"type": "string", "pattern": `^(` + instantPattern + `|[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?)?)$`,
			"examples": []string{"2026-11-21", "2026-11-21T18:00:00", "2026-11-21T18:00:00+08:00"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return m.schema(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": m.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": m.schema(t.Elem())}
	case reflect.Struct:
		return m.object(t)
	case reflect.String:
		return m.text(t)
	case reflect.Bool:
		return object{"type": "boolean", "default": false}
	case reflect.Float64:
		return object{"type": "number"}
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return numbered(t)
	}
	return object{"type": "integer"}
}

// text returns the schema of a type of text: one of its constants if it has any.
func (m *maker) text(t reflect.Type) object {
	var names, texts []string
	for _, v := range m.values[nameOf(t)] {
		names, texts = append(names, v["const"].(string)), append(texts, v["description"].(string))
	}
	if names == nil {
		return object{"type": "string"}
	}
	s := object{"type": "string", "enum": names}
	if strings.Join(texts, "") != "" {
		s["enumDescriptions"] = texts // editors show it
	}
	return s
}

// numbered returns the schema of a type whose values are numbered from 0 and have names.
func numbered(t reflect.Type) object {
	var names []string
	for v := reflect.New(t).Elem(); ; v.SetInt(v.Int() + 1) {
		text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
		if err != nil {
			return object{"type": "string", "enum": names, "default": names[0]}
		}
		names = append(names, string(text))
	}
}

// object returns the schema of a struct.
func (m *maker) object(t reflect.Type) object {
	fields, required := object{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		s, key := m.schema(f.Type), nameOf(t)+"."+f.Name
		s["description"] = m.comments[key]
		require.NotEmpty(m.t, s["description"], "%s has no comment", key)
		if rest == "" {
			required = append(required, name)
		} else if s["type"] == "integer" {
			s["default"], s["minimum"] = 0, 0
		}
		for keyword, value := range m.limits[key] {
			s[keyword] = value
		}
		delete(m.limits, key)
		fields[name] = s
	}
	s := object{"type": "object", "properties": fields, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// limits returns what is known of fields beside their types.
func limits() map[string]object {
	plainText := func(most int) object {
		return object{"minLength": 1, "maxLength": most, "pattern": `^[^` + noControls + `]*$`}
	}
	named := object{"maxLength": window.MaxName, "pattern": `^` + namePattern + `*$`}
	upTo := func(most int) object { return object{"maximum": most} }
	d := board.Spec{Name: "a", Feed: &board.Feed{}, Derived: &board.Derived{}}.WithDefaults()
	tierName := plainText(awards.MaxName)
	tierName["pattern"] = `^[^/` + noControls + `]*$`
	return map[string]object{
		"board.Spec.Name":        {"minLength": 1, "maxLength": board.MaxName, "pattern": `^[^/` + noControls + `]+(/[^/` + noControls + `]+)*$`},
		"board.Spec.Columns":     {"maxItems": rules.MaxColumns, "default": []object{{"name": d.Columns[0].Name, "kind": d.Columns[0].Kind, "order": d.Columns[0].Order}}},
		"board.Spec.Op":          {"default": d.Op},
		"board.Spec.K":           upTo(board.MaxK),
		"board.Spec.Ties":        {"default": d.Ties},
		"board.Spec.Windows":     {"default": []string{d.Windows[0].Text()}},
		"board.Spec.MaxMeta":     upTo(board.MaxMeta),
		"board.Spec.Parts":       upTo(board.MaxParts),
		"board.Spec.PartMembers": upTo(board.MaxPartMembers),
		"board.Spec.OnceFor":     {"default": d.OnceFor},
		"board.Spec.Journal":     upTo(board.MaxJournal),
		"board.Top.N":            {"minimum": 1, "maximum": board.MaxTop},
		"board.Top.Reserve":      upTo(board.MaxTop),
		"board.Top.Segments":     upTo(board.MaxSegments),
		"board.Feed.Top":         {"minimum": -1, "maximum": board.MaxFeedTop, "default": d.Feed.Top},
		"board.Leagues.Tiers":    {"minItems": 1, "maxItems": board.MaxTiers, "items": merged(object{"type": "string"}, plainText(board.MaxTier))},
		"board.Leagues.Size":     {"minimum": 2, "maximum": board.MaxCohort},
		"board.Leagues.Up":       upTo(board.MaxCohort),
		"board.Leagues.Down":     upTo(board.MaxCohort),
		"board.Leagues.Bands":    {"maxItems": board.MaxBands},
		"board.Derived.From":     {"minLength": 1},
		"board.Derived.Groups":   plainText(board.MaxKind),
		"board.Derived.Op":       {"default": d.Derived.Op},
		"board.Derived.K":        upTo(board.MaxK),
		"board.Derived.Least":    upTo(board.MaxLeast),
		"board.Derived.Points":   {"default": d.Derived.Points},
		"rules.Column.Name":      {"maxLength": rules.MaxColumnName, "pattern": `^[^` + noControls + `]*$`},
		"rules.Column.Kind":      {"default": d.Columns[0].Kind},
		"rules.Column.Decimals":  upTo(rules.MaxDecimals),
		"rules.Column.Order":     {"default": d.Columns[0].Order},
		"rules.Column.Op":        {"enum": []rules.Op{rules.Sum, rules.Min, rules.Max, rules.Last, rules.First}, "enumDescriptions": nil},
		"window.Window.Name":     named,
		"window.Window.TimeZone": {"default": "UTC", "examples": []string{"Europe/Berlin", "America/New_York", "Asia/Shanghai"}},
		"window.Window.Grace":    {"default": "0s"},
		"window.Season.Name":     named,
		"awards.Plan.Tiers":      {"minItems": 1, "maxItems": awards.MaxTiers},
		"awards.Tier.Name":       tierName,
		"awards.Tier.From":       upTo(awards.MaxRank),
		"awards.Tier.To":         upTo(awards.MaxRank),
		"awards.Tier.Percent":    {"minimum": 0, "maximum": 100},
		"awards.Tier.Payload":    {"maxLength": awards.MaxPayload, "default": ""},
	}
}

// merged returns both in one.
func merged(a, b object) object {
	for k, v := range b {
		a[k] = v
	}
	return a
}

// document returns the schema of spec files: one spec, or an array of them.
func (m *maker) document() object {
	s := m.object(reflect.TypeFor[board.Spec]())
	require.Empty(m.t, m.limits, "there are no such fields")
	s["properties"].(object)["$schema"] = object{"type": "string", "description": "Where this schema is, for editors. Boards ignore it."}
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "The spec of a zrank board, or an array of specs"
	s["type"] = []string{"object", "array"}
	s["items"], s["minItems"] = object{"$ref": "#", "type": "object"}, 1
	return s
}

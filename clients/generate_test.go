package clients

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// generator makes requests from a document. What is drawn for a name such as member is often one of known, so that requests reach something.
type generator struct {
	schemas map[string]any
	known   map[string][]string
}

// chance draws true once in n times, and less often while rapid looks for a small failing request.
func chance(t *rapid.T, n int) bool { return rapid.IntRange(1, n).Draw(t, "chance") == n }

// texts are strings that may be anywhere.
var texts = rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "a/b", "..", "%2F", "base64:", "base64:_w", "base64:!", "\x00", "ö🏆", "null", "0", strings.Repeat("x", 1025), "a,b", "\"", "2026-W47"}))

// text draws a string for a parameter or a field.
func (g *generator) text(t *rapid.T, name string) string {
	if known := g.known[name]; len(known) > 0 && !chance(t, 6) {
		return rapid.SampledFrom(known).Draw(t, name)
	}
	return texts.Draw(t, name)
}

// numbers are what an integer may be, as JSON and in URLs. The validator reads them as float64, which has the largest of these.
var numbers = rapid.OneOf(rapid.IntRange(-3, 12), rapid.SampledFrom([]int{100, 10_001, 1 << 31, 1<<53 + 1, 1<<63 - 1024, -1 << 63}))

// value draws what a schema allows, or nearly: once in a while something else.
func (g *generator) value(t *rapid.T, name string, schema map[string]any, depth int) any {
	if chance(t, 25) {
		return rapid.SampledFrom([]any{nil, true, "x", -1.5, []any{}, map[string]any{"a": 1}, json.Number("1e400"), json.Number("-9223372036854775809"), json.Number("5.0"), json.Number("5e0"), "1e5", strings.Repeat("9", 30)}).Draw(t, "other")
	}
	if ref, ok := schema["$ref"].(string); ok {
		return g.value(t, name, g.schemas[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any), depth)
	}
	if either, ok := schema["anyOf"].([]any); ok {
		return g.value(t, name, rapid.SampledFrom(either).Draw(t, "anyOf").(map[string]any), depth)
	}
	if enum, ok := schema["enum"].([]any); ok {
		return rapid.SampledFrom(enum).Draw(t, name)
	}
	kind, _ := schema["type"].(string)
	if kinds, ok := schema["type"].([]any); ok {
		kind = rapid.SampledFrom(kinds).Draw(t, "type").(string)
	}
	switch kind {
	case "integer":
		return numbers.Draw(t, name)
	case "number":
		return rapid.OneOf(rapid.Map(numbers, func(n int) float64 { return float64(n) }), rapid.SampledFrom([]float64{0.5, 1e300, -0.0, 12.25})).Draw(t, name)
	case "boolean":
		return rapid.Bool().Draw(t, name)
	case "array":
		items, _ := schema["items"].(map[string]any)
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, g.value(t, strings.TrimSuffix(name, "s"), items, depth+1))
		}
		return list
	case "object":
		return g.object(t, schema, depth)
	case "string":
		return g.string(t, name, schema)
	}
	return nil
}

func (g *generator) string(t *rapid.T, name string, schema map[string]any) string {
	if isTime(schema) && !chance(t, 10) {
		at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(-400, 400).Draw(t, "hours")) * time.Hour)
		return rapid.SampledFrom([]string{at.Format(time.RFC3339), at.Format(time.RFC3339), "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2026-11-20T12:00:00+14:00"}).Draw(t, name)
	}
	if pattern, ok := schema["pattern"].(string); ok && !chance(t, 6) {
		return rapid.StringMatching(pattern).Draw(t, name)
	}
	return g.text(t, name)
}

// isTime reports whether strings of a schema are times: those of JSON have a format, those of parameters, which have more forms, an example.
func isTime(schema map[string]any) bool {
	examples, _ := schema["examples"].([]any)
	return schema["format"] == "date-time" || len(examples) > 0 && examples[0] == "2026-03-01T12:00:00Z"
}

func (g *generator) object(t *rapid.T, schema map[string]any, depth int) map[string]any {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if slices.Contains(required, any(name)) && !chance(t, 25) || depth < 4 && chance(t, 3) {
			if v := g.value(t, name, properties[name].(map[string]any), depth+1); v != nil { // null counts as absent, whatever the schema says
				object[name] = v
			}
		}
	}
	if chance(t, 30) {
		object["unknown"] = 1
	}
	return object
}

// request draws a request of an operation.
func (g *generator) request(t *rapid.T, o op) *http.Request {
	path, query, header := o.path, url.Values{}, http.Header{}
	parameters, _ := o.spec["parameters"].([]any)
	for _, p := range parameters {
		p := p.(map[string]any)
		name := p["name"].(string)
		schema := p["schema"].(map[string]any)
		if p["in"] != "path" && (p["required"] != true && !chance(t, 3) || chance(t, 25)) {
			continue
		}
		text := asText(g.value(t, name, schema, 0))
		switch p["in"] {
		case "path":
			if text == "" || text == "." || text == ".." {
				text = "x" // Go's server mends such paths by a redirect
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(text), 1)
		case "query":
			if text != "" { // else it counts as absent, whatever its schema says
				query.Set(name, text)
			}
		case "header":
			header.Set(name, strings.Map(printable, text))
		}
	}
	if chance(t, 40) {
		query.Set("unknown", "1")
	}
	if o.id == "streamEvents" { // or it never ends
		query.Set("wait", "false")
	}
	var body []byte
	if content, ok := o.spec["requestBody"].(map[string]any); ok && !chance(t, 30) {
		schema := content["content"].(map[string]any)["application/json"].(map[string]any)["schema"].(map[string]any)
		body, _ = json.Marshal(g.body(t, o, schema))
		header.Set("Content-Type", "application/json")
		if chance(t, 30) {
			body = body[:rapid.IntRange(0, len(body)).Draw(t, "cut")]
		}
	}
	target := path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	r, err := http.NewRequest(o.method, "http://zrank.test"+target, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.RequestURI, r.RemoteAddr, r.Header = target, "192.0.2.1:1", header
	r.Header.Set("Authorization", "Bearer "+gameKey)
	return r
}

// body draws the body of a request. Specs of boards have no schema: theirs come from a list.
func (g *generator) body(t *rapid.T, o op, schema map[string]any) any {
	if o.id != "defineBoard" && o.id != "migrateBoard" {
		return g.value(t, "body", schema, 0)
	}
	spec := rapid.SampledFrom(specs).Draw(t, "spec")
	if chance(t, 4) {
		spec = maps.Clone(spec)
		spec[rapid.SampledFrom([]string{"op", "windows", "columns", "maxMeta", "awards", "feed", "leagues", "derived", "what"}).Draw(t, "field")] =
			rapid.SampledFrom([]any{nil, 1, "x", []any{}, []any{"day"}, map[string]any{}, -1}).Draw(t, "other")
	}
	return spec
}

// asText returns a value as a parameter has it.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = asText(x)
		}
		return strings.Join(parts, ",")
	}
	text, _ := json.Marshal(v)
	return string(text)
}

// printable leaves of a header's value what HTTP allows.
func printable(r rune) rune {
	if r < 0x20 || r > 0x7e {
		return -1
	}
	return r
}

package routes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/internal/wire"
)

// config returns the settings of huma.
func config(version string) huma.Config {
	c := huma.DefaultConfig("zrank", version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	c.CreateHooks = nil // no links to schemas in the answers
	c.Transformers = []huma.Transformer{asProblem}
	c.RejectUnknownQueryParameters = true
	c.Info.Description = description + codeTable()
	c.Servers = []*huma.Server{{URL: "/", Description: "Where this document was served, or the path in front of /v1 behind a proxy"}}
	c.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"key": {Type: "http", Scheme: "bearer", Description: "A server key, or the token of a player."},
	}
	c.Components.Schemas = registry()
	return c
}

const description = `Leaderboards over HTTP. Errors are problem details (RFC 9457) with a code. Ranks and places count from 1. Times are RFC 3339.
A score is an array with one number for each column; where a number is an integer beyond 2^53, scoreText has the numbers as strings too, and requests may have strings in the place of numbers.
Bytes that are no UTF-8, in names and metadata, are written as base64: and base64url.`

// codeTable returns the codes of problems as a table.
func codeTable() string {
	var b strings.Builder
	b.WriteString("\n\n| code | status | meaning |\n|---|---|---|\n")
	for _, x := range wire.Codes() {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", x.Code, x.Status, x.Text)
	}
	for _, x := range own {
		fmt.Fprintf(&b, "| %s | %d | %v |\n", x.code, x.status, x.err)
	}
	return b.String()
}

// nameProblems makes the document say what errors look like: huma knows its own only.
func nameProblems(doc *huma.OpenAPI) {
	schemas := doc.Components.Schemas
	problems := schemas.Schema(reflect.TypeFor[problem.Problem](), true, "Problem")
	details := schemas.Schema(reflect.TypeFor[wire.Details](), true, "Details")
	schemas.Map()["Problem"].Properties["details"] = details
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete} {
			if op == nil {
				continue
			}
			nameRest(op)
			for status, response := range op.Responses {
				if status >= "400" || status == "default" {
					response.Content = map[string]*huma.MediaType{problem.MediaType: {Schema: problems}}
				}
			}
		}
	}
	delete(schemas.Map(), "ErrorModel")
	delete(schemas.Map(), "ErrorDetail")
}

// nameRest adds the answers of an operation that huma does not know of: 304, and problems of a status that few errors have.
func nameRest(op *huma.Operation) {
	conditional := slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.In == "header" && p.Name == "If-None-Match" })
	if ok := op.Responses["200"]; conditional && ok.Content["application/json"] != nil {
		op.Responses["304"] = &huma.Response{Description: "The answer is the one with the ETag of If-None-Match", Headers: ok.Headers}
	}
	op.Responses["default"] = &huma.Response{Description: "Another problem: its code says which"}
}

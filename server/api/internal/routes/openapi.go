package routes

import (
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/internal/wire"
)

// config returns the settings of huma.
func config(version string) huma.Config {
	c := huma.DefaultConfig("zrank", version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.Formats = map[string]huma.Format{"application/json": jsonFormat, "json": jsonFormat}
	c.CreateHooks = nil // no links to schemas in the answers
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
A score is an array with one number for each column; where a number is an integer beyond 2^53, scoreText has the numbers as strings too, and requests may have strings in place of numbers.
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

// Package specschema has the JSON schema of spec files, draft 2020-12, by which editors complete and check them. A test makes spec.schema.json of the fields of
// board.Spec, their comments and their bounds; go test ./internal/specschema -args -write stores it.
//
// The schema has what a single value must be. What values must be together, such as the window of a plan of awards, board.ReadSpec alone checks: it refuses all
// that the schema refuses, but for the empty text in place of a name of a list, and null.
package specschema

import _ "embed"

// JSON is the schema.
//
//go:embed spec.schema.json
var JSON []byte

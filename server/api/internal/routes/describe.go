package routes

import (
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/internal/wire"
)

// describe writes what the document says of an operation: its parameters, its body and its responses.
func (r *Router) describe(x *route, q *reader) {
	schemas := r.api.OpenAPI().Components.Schemas
	for _, params := range q.params {
		for _, p := range params {
			x.Parameters = append(x.Parameters, describeParam(schemas, p))
		}
	}
	if q.body != nil {
		q.body.PrecomputeMessages()
		x.RequestBody = &huma.RequestBody{Required: true, Content: jsonOf(q.body)}
	}
	if x.Responses == nil {
		x.Responses = map[string]*huma.Response{}
	}
	switch {
	case x.result != nil:
		x.Responses["200"] = &huma.Response{Description: "OK", Content: jsonOf(schemas.Schema(x.result, true, x.OperationID+"Response"))}
		if tagged := x.Responses["304"]; tagged != nil {
			x.Responses["200"].Headers = tagged.Headers
		}
	case len(x.Responses) == 0:
		x.Responses["204"] = &huma.Response{Description: "No Content"}
	}
	problems := problemSchema(schemas)
	fails := func(status, text string) {
		x.Responses[status] = &huma.Response{Description: text, Content: map[string]*huma.MediaType{problem.MediaType: {Schema: problems}}}
	}
	for _, status := range errorStatuses {
		fails(strconv.Itoa(status), http.StatusText(status))
	}
	fails("default", "Another problem: its code says which")
}

func jsonOf(s *huma.Schema) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: s}}
}

// problemSchema returns the schema of problems.
func problemSchema(schemas huma.Registry) *huma.Schema {
	problems := schemas.Schema(reflect.TypeFor[problem.Problem](), true, "Problem")
	schemas.Map()["Problem"].Properties["details"] = schemas.Schema(reflect.TypeFor[wire.Details](), true, "Details")
	return problems
}

// timeForms says how times may be written in parameters.
const timeForms = "; RFC 3339, 2026-03-01 12:00:00 or 2026-03-01 in UTC, seconds after 1970, or milliseconds with ms behind them"

// describeParam describes a parameter. One of a type of the contract is a string, and so is a time, which has more forms than
// those of JSON.
func describeParam(schemas huma.Registry, p ops.Param) *huma.Param {
	f := p.Field
	if f.Type.Kind() == reflect.Pointer {
		f.Type = f.Type.Elem()
	}
	isTime := f.Type == reflect.TypeFor[time.Time]()
	if f.Type.PkgPath() != "" || f.Type.Kind() == reflect.Struct {
		f.Type = reflect.TypeFor[string]()
	}
	s := huma.SchemaFromField(schemas, f, "")
	if isTime {
		s.Description += timeForms
		s.Examples = []any{"2026-03-01T12:00:00Z"}
	}
	described := &huma.Param{Name: p.Name, In: string(p.In), Description: s.Description, Required: p.Required, Schema: s}
	if p.In == ops.InQuery {
		described.Explode = new(bool) // lists have commas
	}
	return described
}

// errorStatuses are the statuses of problems that every operation may answer with; those of rare ones are the default of the document.
var errorStatuses = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge,
	http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable}

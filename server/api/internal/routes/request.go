package routes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/internal/boardjson"
	"github.com/zrankdb/zrank/internal/problem"
	"github.com/zrankdb/zrank/internal/wire"
)

// reader reads the requests of an operation.
type reader struct {
	inputs  []reflect.Type
	params  [][]ops.Param // of each input
	names   []string      // of parameters of the query
	body    *huma.Schema  // nil: there is none
	bodyOf  int           // the input that has it
	trusts  bool          // the body is not checked against the schema
	schemas huma.Registry
	most    int64 // bytes of a body
}

// reader returns what reads the requests of an operation.
func (r *Router) reader(x *route) *reader {
	q := &reader{inputs: x.inputs, trusts: x.trusts, schemas: r.api.OpenAPI().Components.Schemas, most: r.MaxBody}
	for i, t := range x.inputs {
		params := ops.ParamsOf(t)
		q.params = append(q.params, params)
		for _, p := range params {
			if p.In == ops.InQuery {
				q.names = append(q.names, p.Name)
			}
		}
		if f, ok := t.FieldByName("Body"); ok {
			q.bodyOf = i
			q.body = huma.SchemaFromField(q.schemas, f, strings.TrimSuffix(t.Name(), "Args")+"Request")
		}
	}
	return q
}

// read returns the arguments of a request: pointers to the inputs. Errors: a problem; those of arguments that have a code.
func (q *reader) read(c huma.Context, request *http.Request) (in []any, err error) {
	var wrong []problem.FieldError
	note := func(location, message string) {
		wrong = append(wrong, problem.FieldError{Location: location, Message: message})
	}
	if request.URL.RawQuery != "" {
		for name := range request.URL.Query() {
			if !slices.Contains(q.names, name) {
				note("query."+name, "unknown query parameter")
			}
		}
	}
	for i, t := range q.inputs {
		args := reflect.New(t).Interface()
		in = append(in, args)
		for j := range q.params[i] {
			p := &q.params[i][j]
			text := textOf(c, p)
			if err := p.Set(args, text); err != nil {
				if _, _, coded := wire.Code(err); coded && !errors.Is(err, boardjson.ErrText) {
					return nil, err
				}
				note(string(p.In)+"."+p.Name, err.Error())
			} else if text == "" && p.Required {
				note(string(p.In)+"."+p.Name, "required "+string(p.In)+" parameter is missing")
			}
		}
		if q.body != nil && q.bodyOf == i && wrong == nil {
			if wrong, err = q.readBody(request, ops.Body(args)); err != nil {
				return nil, err
			}
		}
	}
	if wrong != nil {
		slices.SortFunc(wrong, func(a, b problem.FieldError) int { return strings.Compare(a.Location, b.Location) })
		return nil, invalid(http.StatusUnprocessableEntity, wrong)
	}
	return in, nil
}

// textOf returns the text of a parameter.
func textOf(c huma.Context, p *ops.Param) string {
	switch p.In {
	case ops.InPath:
		return c.Param(p.Name)
	case ops.InQuery:
		return c.Query(p.Name)
	}
	return c.Header(p.Name)
}

// readBody reads a body, which middleware has read and limited before. It returns what is wrong with its fields.
func (q *reader) readBody(request *http.Request, to any) (wrong []problem.FieldError, err error) {
	kind, _, _ := strings.Cut(request.Header.Get("Content-Type"), ";")
	if kind != "" && !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		return nil, problem.New(http.StatusUnsupportedMediaType, "media_type", "the body must be application/json")
	}
	text, err := io.ReadAll(io.LimitReader(request.Body, q.most+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > q.most:
		return nil, problem.New(http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("the body has more than %d bytes", q.most))
	case len(text) == 0:
		return nil, problem.New(http.StatusBadRequest, "invalid_request", "request body is required")
	}
	if !q.trusts {
		var parsed any
		if err := json.Unmarshal(text, &parsed); err != nil {
			return nil, invalid(http.StatusBadRequest, []problem.FieldError{{Location: "body", Message: err.Error()}})
		}
		var found huma.ValidateResult
		path := huma.NewPathBuffer([]byte{}, 0)
		path.Push("body")
		huma.Validate(q.schemas, q.body, path, huma.ModeWriteToServer, parsed, &found)
		for _, err := range found.Errors {
			if detail := new(huma.ErrorDetail); errors.As(err, &detail) {
				wrong = append(wrong, problem.FieldError{Location: detail.Location, Message: detail.Message})
			}
		}
		if wrong != nil {
			return wrong, nil
		}
	}
	if err := boardjson.ReadStrict(text, to); err != nil {
		wrong = []problem.FieldError{{Location: "body", Message: err.Error()}}
	}
	return wrong, nil
}

// invalid returns the problem of a request with wrong parts.
func invalid(status int, wrong []problem.FieldError) error {
	p := problem.New(status, "invalid_request", "validation failed")
	p.Errors = wrong
	return p
}

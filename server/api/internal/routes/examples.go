package routes

import (
	_ "embed"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// examplesJSON is the examples of the document, in an order in which they can be sent: see the test that sends them.
//
//go:embed examples.json
var examplesJSON []byte

// Example is a request and its answer, or a time to which the clock goes.
type Example struct {
	Clock     string            `json:"clock,omitempty"`     // RFC 3339; periods that are over are closed and settled then
	Operation string            `json:"operation,omitempty"` // its id
	Note      string            `json:"note,omitempty"`      // what is special about it
	Path      map[string]string `json:"path,omitempty"`
	Query     map[string]string `json:"query,omitempty"`
	Headers   map[string]string `json:"headers,omitempty"`
	Body      json.RawMessage   `json:"body,omitempty"`
	Status    int               `json:"status,omitempty"`
	Response  json.RawMessage   `json:"response,omitempty"`
	Text      string            `json:"text,omitempty"` // of a response that is not JSON
}

// variables are what examples take from earlier answers: $pin, $ticket and $claim in a path or a body.
type variables map[string]string

// note takes the variables of an answer.
func (v variables) note(response []byte) {
	var x struct {
		Pin    string
		Ticket string
		Awards []struct{ ID string }
	}
	if json.Unmarshal(response, &x) != nil {
		return
	}
	for name, value := range map[string]string{"$pin": x.Pin, "$ticket": x.Ticket} {
		if value != "" {
			v[name] = value
		}
	}
	if len(x.Awards) > 0 {
		v["$claim"] = x.Awards[0].ID
	}
}

// in returns a text with the values of variables.
func (v variables) in(text string) string {
	for name, value := range v {
		text = strings.ReplaceAll(text, name, value)
	}
	return text
}

// resolve returns an example with the values of variables.
func (v variables) resolve(e Example) Example {
	path := map[string]string{}
	for name, value := range e.Path {
		path[name] = v.in(value)
	}
	e.Path = path
	if e.Body != nil {
		e.Body = json.RawMessage(v.in(string(e.Body)))
	}
	return e
}

// readExamples returns the examples of a file.
func readExamples(text []byte) (all []Example, err error) {
	err = json.Unmarshal(text, &all)
	return all, err
}

// addExamples puts the examples into the document. Those of responses stand with their status.
func addExamples(doc *huma.OpenAPI, all []Example) {
	operations := map[string]*huma.Operation{}
	for _, item := range doc.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete} {
			if op != nil {
				operations[op.OperationID] = op
			}
		}
	}
	v := variables{}
	for _, e := range all {
		e = v.resolve(e)
		v.note(e.Response)
		if op := operations[e.Operation]; op != nil {
			addExample(op, e)
		}
	}
}

func addExample(op *huma.Operation, e Example) {
	name := "example"
	if e.Note != "" {
		name = strings.ReplaceAll(e.Note, " ", "-")
	}
	for _, p := range op.Parameters {
		if value, ok := map[string]map[string]string{"path": e.Path, "query": e.Query, "header": e.Headers}[p.In][p.Name]; ok && p.Example == nil && p.Examples == nil {
			p.Example = exampleOf(p.Schema, value)
		}
	}
	if e.Body != nil && op.RequestBody != nil {
		for _, media := range op.RequestBody.Content {
			if media.Examples == nil {
				media.Examples = map[string]*huma.Example{}
			}
			media.Examples[name] = &huma.Example{Summary: e.Note, Value: e.Body}
		}
	}
	response := op.Responses[strconv.Itoa(e.Status)]
	if response == nil || response.Content == nil {
		return
	}
	for kind, media := range response.Content {
		value := any(e.Response)
		if e.Response == nil {
			value = e.Text
		}
		if e.Response == nil == strings.Contains(kind, "json") {
			continue
		}
		if media.Examples == nil {
			media.Examples = map[string]*huma.Example{}
		}
		media.Examples[name] = &huma.Example{Summary: e.Note, Value: value}
	}
}

// exampleOf returns a parameter as the type that its schema says.
func exampleOf(s *huma.Schema, text string) any {
	if s != nil && s.Type == huma.TypeArray {
		return strings.Split(text, ",")
	}
	var v any
	if s != nil && s.Type != huma.TypeString && json.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	return text
}

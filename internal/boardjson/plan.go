package boardjson

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// kind says how a field is written and read.
type kind int

const (
	plain    kind = iota // as encoding/json has it
	text                 // a string of bytes
	textList             // a list of those
	raw                  // []byte
	moment               // a time
	score                // a score
	list                 // of something else
)

// field is a field of a type.
type field struct {
	name  string // in JSON
	index []int  // of reflect.Value.FieldByIndex
	kind  kind
	empty bool // left out if it is empty: false, 0, "", no elements
	zero  bool // left out if it is zero
	exact bool // a score that is written as strings, too, where a float64 would lose digits
}

var plans sync.Map // of reflect.Type: []field

// planOf returns the fields of a struct.
func planOf(t reflect.Type) []field {
	if all, ok := plans.Load(t); ok {
		return all.([]field)
	}
	all, _ := plans.LoadOrStore(t, fieldsOf(t, nil))
	return all.([]field)
}

// fieldsOf returns the fields of a struct that is at an index of another one.
func fieldsOf(t reflect.Type, at []int) (all []field) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		tag := f.Tag.Get("json")
		if f.Anonymous && tag == "" {
			all = append(all, fieldsOf(f.Type, index)...)
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = strings.ToLower(f.Name[:1]) + f.Name[1:]
		}
		options := strings.Split(rest, ",")
		has := func(option string) bool { return slices.Contains(options, option) }
		all = append(all, field{name, index, kindOf(f.Type, has("text")), has("omitempty"), has("omitzero"), has("exact")})
	}
	return all
}

// Appender is what appends its own JSON. It is for answers that are made often.
type Appender interface {
	AppendJSON(dst []byte) ([]byte, error)
}

var writers sync.Map // of reflect.Type: whether it, or a pointer to it, writes its own JSON

// writesItself reports whether values of a type write their own JSON, or text.
func writesItself(t reflect.Type) bool {
	if own, ok := writers.Load(t); ok {
		return own.(bool)
	}
	own := t.Kind() == reflect.Interface
	for _, m := range []reflect.Type{reflect.TypeFor[Appender](), reflect.TypeFor[json.Marshaler](), reflect.TypeFor[encoding.TextMarshaler]()} {
		own = own || t.Implements(m) || reflect.PointerTo(t).Implements(m)
	}
	writers.Store(t, own)
	return own
}

func kindOf(t reflect.Type, isText bool) kind {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return moment
	case t == reflect.TypeFor[rules.Score]():
		return score
	case t == reflect.TypeFor[[]byte]():
		return raw
	case isText && t.Kind() == reflect.String:
		return text
	case isText:
		return textList
	case t.Kind() == reflect.Slice:
		return list
	}
	return plain
}

// leavesOut reports whether a value of the field is not written.
func (f *field) leavesOut(v reflect.Value) bool {
	switch {
	case f.kind == moment:
		t := v.Addr().Interface().(*time.Time)
		return t.IsZero() || t.Year() > 9999
	case f.kind == raw:
		return v.IsNil()
	case f.zero:
		return v.IsZero()
	case !f.empty:
		return false
	case f.kind == score:
		return v.Addr().Interface().(*rules.Score).Len() == 0
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

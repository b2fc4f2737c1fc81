package boardcmd

import (
	"reflect"
	"strings"
	"sync"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
)

// field is a field of a struct as replies have it.
type field struct {
	name  string
	index []int
	empty bool // null, or left out, if it is zero
}

var plans sync.Map // of reflect.Type: []field

// fieldsOf returns the fields of a struct that have JSON, those of embedded structs too.
func fieldsOf(t reflect.Type) []field {
	if all, ok := plans.Load(t); ok {
		return all.([]field)
	}
	var list []field
	for _, f := range ops.FieldsOf(t) {
		list = append(list, field{ops.Kebab(f.Name), f.Index, f.Omit})
	}
	all, _ := plans.LoadOrStore(t, list)
	return all.([]field)
}

// isNone reports whether a value says that there is none: an empty text, no time, the number of no entry, no rank.
func (f *field) isNone(v reflect.Value) bool {
	if !f.empty || !isEmpty(v) {
		return false
	}
	switch v.Kind() {
	case reflect.String, reflect.Uint64:
		return true
	case reflect.Struct:
		return v.Type() != reflect.TypeFor[board.Score]()
	}
	return v.Kind() == reflect.Int && strings.HasSuffix(f.name, "rank")
}

func isEmpty(v reflect.Value) bool {
	if s, ok := v.Addr().Interface().(*board.Score); ok {
		return s.Len() == 0
	}
	return v.IsZero()
}

// alone returns the only value of a result, or its list, beside which there may be the period, and whether there are more.
func alone(v reflect.Value) (only reflect.Value, ok bool) {
	if v.Kind() != reflect.Struct || v.Type().PkgPath() != reflect.TypeFor[ops.None]().PkgPath() {
		return v, false
	}
	var values []reflect.Value
	for i := range v.NumField() {
		switch v.Type().Field(i).Name {
		case "Period", "More":
		default:
			values = append(values, v.Field(i))
		}
	}
	return values[0], len(values) == 1
}

// addressable returns a value that has an address: a copy of one that has none.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	copied := reflect.New(v.Type()).Elem()
	copied.Set(v)
	return copied
}

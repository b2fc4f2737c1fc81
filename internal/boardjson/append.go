package boardjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/zrankdb/zrank/board/rules"
)

// Marshal returns the JSON of a struct. It is for MarshalJSON.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// AppendAny appends the JSON of a value of any type. A struct that writes its own does so.
func AppendAny(dst []byte, v any) ([]byte, error) { return appendAny(dst, reflect.ValueOf(v)) }

// AppendFields is AppendAny for a value that has other values in it: a struct goes by its fields,
// also if one of those that it embeds writes its own.
func AppendFields(dst []byte, v any) ([]byte, error) {
	if reflect.Indirect(reflect.ValueOf(v)).Kind() == reflect.Struct {
		return Append(dst, v)
	}
	return AppendAny(dst, v)
}

// Append appends the JSON of a struct, by its fields, also if it writes its own. O(bytes).
func Append(dst []byte, v any) (_ []byte, err error) {
	return appendStruct(dst, addressable(reflect.Indirect(reflect.ValueOf(v))))
}

// addressable returns a value that has an address: a copy of one that has none.
func addressable(x reflect.Value) reflect.Value {
	if x.CanAddr() {
		return x
	}
	with := reflect.New(x.Type()).Elem()
	with.Set(x)
	return with
}

// appendStruct appends the JSON of a struct that has an address.
func appendStruct(dst []byte, of reflect.Value) (_ []byte, err error) {
	dst = append(dst, '{')
	begun := false
	for _, f := range planOf(of.Type()) {
		x := of.FieldByIndex(f.index)
		if f.leavesOut(x) {
			continue
		}
		if begun {
			dst = append(dst, ',')
		}
		begun = true
		if dst, err = f.append(AppendName(dst, f.name), x); err != nil {
			return dst, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return append(dst, '}'), nil
}

// AppendName appends the name of a field.
func AppendName(dst []byte, name string) []byte {
	return append(append(append(dst, '"'), name...), `":`...)
}

// append appends the value of a field.
func (f *field) append(dst []byte, x reflect.Value) ([]byte, error) {
	switch f.kind {
	case text:
		return appendText(dst, x.String()), nil
	case raw:
		return appendText(dst, string(x.Bytes())), nil
	case moment:
		return append(x.Addr().Interface().(*time.Time).AppendFormat(append(dst, '"'), time.RFC3339Nano), '"'), nil
	case score:
		s := x.Addr().Interface().(*rules.Score)
		if dst = appendScore(dst, s); f.exact && isLossy(s) {
			dst = AppendName(append(dst, ','), f.name+"Text")
			return appendList(dst, texts(s), AppendString), nil
		}
		return dst, nil
	case textList:
		return appendList(dst, *x.Addr().Interface().(*[]string), appendText), nil
	case list:
		return appendElements(dst, x)
	}
	return appendAny(dst, x)
}

func appendElements(dst []byte, x reflect.Value) (_ []byte, err error) {
	dst = append(dst, '[')
	for i := range x.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendAny(dst, x.Index(i)); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendList(dst []byte, all []string, one func(dst []byte, s string) []byte) []byte {
	dst = append(dst, '[')
	for i, x := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = one(dst, x)
	}
	return append(dst, ']')
}

// appendAny appends a value of any type.
func appendAny(dst []byte, x reflect.Value) ([]byte, error) {
	pointer := x.Kind() == reflect.Pointer
	if writesItself(x.Type()) && !(pointer && x.IsNil()) {
		of := x
		if !pointer && x.Kind() != reflect.Interface {
			of = addressable(x).Addr() // a pointer has all methods, and is not allocated
		}
		switch m := of.Interface().(type) {
		case *rules.Value:
			return appendValue(dst, *m), nil
		case Appender:
			return m.AppendJSON(dst)
		case json.Marshaler:
			text, err := m.MarshalJSON()
			return append(dst, text...), err
		case encoding.TextMarshaler:
			text, err := m.MarshalText()
			return AppendString(dst, string(text)), err
		}
	}
	switch x.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(dst, x.Bool()), nil
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(dst, x.Int(), 10), nil
	case reflect.Uint64:
		return strconv.AppendUint(dst, x.Uint(), 10), nil
	case reflect.String:
		return AppendString(dst, x.String()), nil
	case reflect.Struct:
		return appendStruct(dst, addressable(x))
	case reflect.Pointer, reflect.Interface:
		if !x.IsNil() {
			return appendAny(dst, x.Elem())
		}
	case reflect.Slice:
		if x.Type() != reflect.TypeFor[json.RawMessage]() {
			return appendElements(dst, x)
		}
	}
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err := e.Encode(x.Interface())
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

package boardjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board/rules"
)

// Read reads what Append has written into a struct. It leaves out fields that it does not know: those
// of a later version. Errors: ErrText, ErrScore, those of encoding/json.
func Read(b []byte, to any) error { return read(b, reflect.ValueOf(to).Elem(), false) }

// ReadStrict is Read for requests: a field that does not exist is an error.
func ReadStrict(b []byte, to any) error { return read(b, reflect.ValueOf(to).Elem(), true) }

// ReadAny is Read for a value of any type. A struct that reads its own JSON does so.
func ReadAny(b []byte, to any) error { return readAny(b, reflect.ValueOf(to).Elem(), false) }

func read(b []byte, to reflect.Value, strict bool) error {
	if to.Kind() != reflect.Struct {
		return readAny(b, to, strict)
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(b, &given); err != nil {
		return wants(err, "an object")
	}
	for _, f := range planOf(to.Type()) {
		if text, ok := given[f.name]; ok {
			if err := f.read(text, to.FieldByIndex(f.index), strict); err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
		}
		delete(given, f.name)
		if f.exact {
			delete(given, f.name+"Text")
		}
	}
	if strict && len(given) > 0 {
		return fmt.Errorf("json: unknown field %q", slices.Min(slices.Collect(maps.Keys(given))))
	}
	return nil
}

// read reads the value of a field.
func (f *field) read(b []byte, to reflect.Value, strict bool) (err error) {
	switch f.kind {
	case text, raw:
		if s, ok := plainString(b); ok && f.kind == text {
			to.SetString(s)
			return nil
		}
		var t *Text
		if err := json.Unmarshal(b, &t); err != nil || t == nil {
			return wants(err, "a string")
		}
		if f.kind == text {
			to.SetString(string(*t))
		} else {
			to.SetBytes([]byte(*t))
		}
		return nil
	case textList:
		var all []Text
		if err := json.Unmarshal(b, &all); err != nil || all == nil {
			return wants(err, "a list of strings")
		}
		to.Set(reflect.ValueOf(Strings(all)))
		return nil
	case score:
		s, err := readScore(b)
		to.Set(reflect.ValueOf(s))
		return err
	}
	return readAny(b, to, strict)
}

// plainString returns the string of JSON that is one of plain ASCII, which is no escaped Text.
func plainString(b []byte) (s string, ok bool) {
	if len(b) < 2 || b[0] != '"' || bytes.HasPrefix(b[1:], []byte(escape)) {
		return "", false
	}
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf {
			return "", false
		}
	}
	return string(b[1 : len(b)-1]), true
}

// readAny reads a value of any type.
func readAny(b []byte, to reflect.Value, strict bool) error {
	if v, ok := to.Addr().Interface().(*rules.Value); ok {
		x, err := readValue(b)
		*v = x
		return err
	}
	if m, ok := to.Addr().Interface().(json.Unmarshaler); ok {
		if string(b) == "null" {
			return nil
		}
		return m.UnmarshalJSON(b)
	}
	_, isText := to.Addr().Interface().(encoding.TextUnmarshaler)
	switch {
	case isText:
	case to.CanInt() && isNumber(b):
		return readWhole(b, to)
	case to.Kind() == reflect.Struct:
		return read(b, to, strict)
	case to.Kind() == reflect.Pointer && string(b) != "null":
		to.Set(reflect.New(to.Type().Elem()))
		return readAny(b, to.Elem(), strict)
	case to.Kind() == reflect.Slice && kindOf(to.Type(), false) == list:
		var elements []json.RawMessage
		if err := json.Unmarshal(b, &elements); err != nil || elements == nil {
			return wants(err, "a list")
		}
		to.Set(reflect.MakeSlice(to.Type(), len(elements), len(elements)))
		for i, text := range elements {
			if err := readAny(text, to.Index(i), strict); err != nil {
				return err
			}
		}
		return nil
	}
	return wants(json.Unmarshal(b, to.Addr().Interface()), nameOf(to.Kind()))
}

// isNumber reports whether a value of JSON is a number.
func isNumber(b []byte) bool { return len(b) > 0 && (b[0] == '-' || '0' <= b[0] && b[0] <= '9') }

// readWhole reads a whole number, as ParseWhole does.
func readWhole(b []byte, to reflect.Value) error {
	n, err := ParseWhole(string(b))
	if err == nil && to.OverflowInt(n) {
		err = fmt.Errorf("want a number in range, not %s", b)
	}
	if err == nil {
		to.SetInt(n)
	}
	return err
}

// wants returns an error that says what is wanted, where encoding/json would tell of types of Go.
func wants(err error, what string) error {
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
		return fmt.Errorf("want %s, not %s", what, wrong.Value)
	}
	return err
}

// nameOf returns what JSON has for a kind of type.
func nameOf(k reflect.Kind) string {
	switch k {
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a string"
	case reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	}
	return "a whole number"
}

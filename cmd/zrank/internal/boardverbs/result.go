package boardverbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// writeResult writes the result of an operation: its JSON, or a table or CSV of the fields of the JSON, of a list a line each.
func writeResult(w io.Writer, f show.Format, result any) error {
	if _, none := result.(ops.None); none {
		return nil
	}
	if f == show.JSON {
		return show.List[any]{}.Write(w, f, []any{result})
	}
	lines, err := linesOf(result)
	if err != nil {
		return err
	}
	list := show.List[line]{Empty: "nothing", Cells: func(l line, _ bool) []string { return l.cells }}
	if len(lines) == 1 && len(lines[0].names) == 0 { // a time that there is not
		lines = nil
	}
	if len(lines) > 0 {
		list.Columns = lines[0].names
	}
	return list.Write(w, f, lines)
}

// line is the fields of an object.
type line struct{ names, cells []string }

// linesOf returns the objects of a result: those of its list, if it has one, or itself.
func linesOf(result any) ([]line, error) {
	values := []any{result}
	if list, ok := listOf(reflect.ValueOf(result)); ok {
		values = nil
		for i := range list.Len() {
			values = append(values, list.Index(i).Interface())
		}
	}
	var lines []line
	var names []string
	for _, x := range values {
		text, err := boardjson.AppendAny(nil, x)
		if err != nil {
			return nil, err
		}
		l, err := lineOf(text)
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
		for _, name := range l.names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for i, l := range lines { // all have all columns
		cells := make([]string, len(names))
		for k, name := range l.names {
			cells[slices.Index(names, name)] = l.cells[k]
		}
		lines[i] = line{names, cells}
	}
	return lines, nil
}

// listOf returns the only list of a result, or its only value as a list of one.
func listOf(v reflect.Value) (list reflect.Value, ok bool) {
	if v.Kind() != reflect.Struct || v.Type().PkgPath() != reflect.TypeFor[ops.None]().PkgPath() {
		return v, false
	}
	if page, is := v.Interface().(ops.PageOf); is {
		return reflect.ValueOf(page.Rows.Rows), true
	}
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Slice:
			return f, true
		case f.Kind() == reflect.Struct:
			list = reflect.MakeSlice(reflect.SliceOf(f.Type()), 0, 1)
			return reflect.Append(list, f), true
		}
	}
	return v, false
}

// lineOf reads the fields of an object; any other value is one field.
func lineOf(text []byte) (l line, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if text[0] != '{' {
		return line{[]string{"value"}, []string{cell(text)}}, nil
	}
	if _, err = d.Token(); err != nil {
		return l, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return l, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return l, err
		}
		l.names, l.cells = append(l.names, fmt.Sprint(name)), append(l.cells, cell(value))
	}
	return l, nil
}

// cell returns a value as a cell has it: a text without its quotes, lists with blanks or semicolons, the fields of an object with their names.
func cell(value []byte) string {
	var text string
	var list []json.RawMessage
	switch {
	case json.Unmarshal(value, &text) == nil:
		return text
	case json.Unmarshal(value, &list) == nil:
		cells, between := make([]string, len(list)), " "
		for i, x := range list {
			if cells[i] = cell(x); x[0] == '{' {
				between = "; "
			}
		}
		return strings.Join(cells, between)
	case value[0] != '{':
		return string(value)
	}
	l, err := lineOf(value)
	if err != nil {
		return string(value)
	}
	fields := make([]string, len(l.names))
	for i, name := range l.names {
		fields[i] = name + " " + l.cells[i]
	}
	return strings.Join(fields, ", ")
}

package verbs

import (
	"bytes"
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// writeLines writes objects, a line each. Their fields are the columns, by the names that they have in JSON; those of like if there is no object.
func (o *output) writeLines(lines []any, like any) error {
	if o.format == show.JSON {
		return show.List[any]{}.Write(o.OutOrStdout(), o.format, lines)
	}
	list := show.List[[]column]{Empty: cmp.Or(o.command.Empty, "nothing"), Sparse: true}
	for i, c := range columnsOf(like) {
		list.Columns = append(list.Columns, c.name)
		if c.isNumber {
			list.Right = append(list.Right, i+1)
		}
	}
	var all [][]column
	for _, x := range lines {
		if of := columnsOf(x); slices.ContainsFunc(of, func(c column) bool { return c.text(false) != "" }) { // else it is a time that there is not
			all = append(all, of)
		}
	}
	list.Cells = func(of []column, people bool) []string {
		cells := make([]string, len(of))
		for i := range of {
			cells[i] = of[i].text(people)
		}
		return cells
	}
	return list.Write(o.OutOrStdout(), o.format, all)
}

// line is an element of a list of one of several boards.
type line struct {
	board   string
	element any
}

// AppendJSON implements boardjson.Appender: the fields of the element behind the name of the board.
func (l *line) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(boardjson.AppendString(boardjson.AppendName(append(dst, '{'), "board"), l.board), ',')
	text, err := boardjson.AppendAny(nil, l.element)
	return append(dst, bytes.TrimPrefix(text, []byte("{"))...), err
}

// MarshalJSON implements json.Marshaler.
func (l line) MarshalJSON() ([]byte, error) { return l.AppendJSON(nil) }

// text is an element of a list of names.
type text struct{ field, name string }

// AppendJSON implements boardjson.Appender.
func (t *text) AppendJSON(dst []byte) ([]byte, error) {
	name := boardjson.Text(t.name).String()
	return append(boardjson.AppendString(boardjson.AppendName(append(dst, '{'), t.field), name), '}'), nil
}

// MarshalJSON implements json.Marshaler.
func (t text) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil) }

// column is a field of a line.
type column struct {
	name     string
	value    reflect.Value
	isName   bool // the name of a member or a group
	omit     bool // it is empty if it is zero
	isNumber bool
}

// columnsOf returns the fields of an object.
func columnsOf(x any) []column {
	switch x := x.(type) {
	case line:
		return append([]column{{name: "board", value: reflect.ValueOf(x.board)}}, columnsOf(x.element)...)
	case text:
		return []column{{name: x.field, value: reflect.ValueOf(x.name), isName: true}}
	}
	v := reflect.ValueOf(x)
	var all []column
	for _, f := range ops.FieldsOf(v.Type()) {
		value := v.FieldByIndex(f.Index)
		if isOfOps(v) && value.Kind() == reflect.Struct && isPlain(value) { // a result with one object
			all = append(all, columnsOf(value.Interface())...)
			continue
		}
		all = append(all, column{f.Name, value, f.IsName, f.Omit, isNumber(value)})
	}
	return all
}

// isOfOps reports whether a value is a struct of package ops.
func isOfOps(v reflect.Value) bool {
	return v.Kind() == reflect.Struct && v.Type().PkgPath() == reflect.TypeFor[ops.None]().PkgPath()
}

// isPlain reports whether a struct is its fields, and not a value with a form of its own.
func isPlain(v reflect.Value) bool {
	switch v.Interface().(type) {
	case time.Time, board.Score, board.Value, encoding.TextMarshaler:
		return false
	}
	return true
}

func isNumber(v reflect.Value) bool {
	switch v.Interface().(type) {
	case board.Score, board.Value:
		return true
	case encoding.TextMarshaler:
		return false
	}
	return v.CanInt() || v.CanUint() || v.CanFloat()
}

// text returns the text of the field for people or for programs.
func (c *column) text(people bool) string {
	if c.omit && c.value.IsZero() {
		return ""
	}
	return textOf(c.value, people, c.isName)
}

// textOf returns the text of a value: lists with blanks or semicolons between their elements, objects with the names of their fields, rows for people without.
func textOf(v reflect.Value, people, isName bool) string {
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return ""
		}
		return x.UTC().Format(time.RFC3339Nano)
	case board.Score:
		return x.String()
	case board.Value:
		return x.String()
	case []byte:
		return string(x)
	case board.Row:
		if people && x.Member != "" {
			return x.RankText() + " " + show.Name(x.Member) + " " + x.Score.String()
		}
	case encoding.TextMarshaler:
		text, _ := x.MarshalText()
		return string(text)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return textOf(v.Elem(), people, isName)
	case reflect.String:
		if people && isName {
			return show.Name(v.String())
		}
		return v.String()
	case reflect.Slice:
		texts, between := make([]string, v.Len()), " "
		for i := range texts {
			x := v.Index(i)
			if texts[i] = textOf(x, people, isName); x.Kind() == reflect.Struct && isPlain(x) {
				between = "; "
			}
		}
		return strings.Join(texts, between)
	case reflect.Struct:
		var fields []string
		for _, c := range columnsOf(v.Interface()) {
			if text := c.text(people); text != "" {
				fields = append(fields, c.name+" "+text)
			}
		}
		return strings.Join(fields, ", ")
	case reflect.Map:
		text, _ := boardjson.AppendAny(nil, v.Interface())
		return string(text)
	}
	return fmt.Sprint(v.Interface())
}

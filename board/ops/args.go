package ops

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/internal/boardjson"
)

// ErrArgument is returned for the text of an argument that is not what its type or its tags want.
var ErrArgument = errors.New("board: wrong argument")

// ErrRange is an ErrArgument for a number that is below the least one.
var ErrRange = fmt.Errorf("%w: it is out of range", ErrArgument)

// In says where an argument stands in a request of HTTP.
type In string

// The places of arguments.
const (
	InPath   In = "path"
	InQuery  In = "query"
	InHeader In = "header"
	InBody   In = "body"
)

// Param is an argument: a text of a request, or a field of its body.
type Param struct {
	In       In
	Name     string
	Required bool
	Field    reflect.StructField // its type, and its tags for documents

	index    []int
	fallback string // the text of the default
	isText   bool   // bytes of any kind: see boardjson.Text
	least    *int64
	enum     []string
	match    *regexp.Regexp
}

var params sync.Map // of reflect.Type: []Param

// ArgumentsOf returns the arguments of a struct, with those of its body.
func ArgumentsOf(t reflect.Type) []Param {
	all := ParamsOf(t)
	if f, ok := t.FieldByName("Body"); ok && f.Type.Kind() == reflect.Struct {
		all = append(slices.Clone(all), fieldsIn(f.Type, f.Index)...)
	}
	return all
}

// fieldsIn returns the fields of a body as arguments.
func fieldsIn(t reflect.Type, at []int) (all []Param) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		if tag := f.Tag.Get("json"); tag != "" && tag != "-" {
			all = append(all, newParam(InBody, tag, f, index))
		} else if f.Anonymous {
			all = append(all, fieldsIn(f.Type, index)...)
		}
	}
	return all
}

// ParamsOf returns the arguments of a struct that are texts of a request, those of embedded structs too, in
// their order.
func ParamsOf(t reflect.Type) []Param {
	if all, ok := params.Load(t); ok {
		return all.([]Param)
	}
	all, _ := params.LoadOrStore(t, paramsIn(t, nil))
	return all.([]Param)
}

func paramsIn(t reflect.Type, at []int) (all []Param) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		if f.Anonymous {
			all = append(all, paramsIn(f.Type, index)...)
			continue
		}
		for _, in := range []In{InPath, InQuery, InHeader} {
			if tag := f.Tag.Get(string(in)); tag != "" {
				all = append(all, newParam(in, tag, f, index))
			}
		}
	}
	return all
}

func newParam(in In, tag string, f reflect.StructField, index []int) Param {
	name, option, _ := strings.Cut(tag, ",")
	p := Param{In: in, Name: name, Field: f, index: index, fallback: f.Tag.Get("default"), isText: strings.HasPrefix(option, "text"),
		Required: in == InPath || f.Tag.Get("required") == "true"}
	if n, err := strconv.ParseInt(f.Tag.Get("minimum"), 10, 64); err == nil {
		p.least = &n
	}
	if text := f.Tag.Get("enum"); text != "" {
		p.enum = strings.Split(text, ",")
	}
	if text := f.Tag.Get("pattern"); text != "" {
		p.match = regexp.MustCompile(text)
	}
	return p
}

// IsName reports whether the argument is bytes of any kind: the name of a member or a group, or a list of
// them.
func (p *Param) IsName() bool { return p.isText }

// Value returns the value of the argument. args points to the struct.
func (p *Param) Value(args any) any { return p.value(args).Interface() }

// At returns a pointer to the argument. args points to the struct.
func (p *Param) At(args any) any { return p.value(args).Addr().Interface() }

func (p *Param) value(args any) reflect.Value {
	return reflect.ValueOf(args).Elem().FieldByIndex(p.index)
}

// Set sets the argument to what a text says; "" is its default. Whole numbers may be written with a
// point or an exponent, as 5.0 and 1e3; times as ParseTime reads them; names that are no UTF-8 as base64:
// and base64url; scores with commas between their columns. Errors: ErrArgument; those of the types of the
// contract, such as board.ErrMode and board.ErrCursor.
func (p *Param) Set(args any, text string) error { return p.set(p.value(args), text) }

func (p *Param) set(to reflect.Value, text string) error {
	if text == "" {
		text = p.fallback
	}
	if text == "" {
		to.SetZero()
		return nil
	}
	if err := p.check(text); err != nil {
		return err
	}
	if to.Kind() == reflect.Pointer {
		to.Set(reflect.New(to.Type().Elem()))
		to = to.Elem()
	}
	switch x := to.Addr().Interface().(type) {
	case *time.Time:
		t, err := ParseTime(text)
		*x = t
		return err
	case *board.Score:
		s, err := boardjson.ParseScore(text)
		*x = s
		return err
	case encoding.TextUnmarshaler:
		return x.UnmarshalText([]byte(text))
	}
	return p.parse(to, text)
}

// SetBytes is Set for a door whose words are bytes: a name is what it is. A list gets one more element.
// at is what At returns.
func (p *Param) SetBytes(at any, word []byte) error {
	switch to := at.(type) {
	case *string:
		if *to != string(word) { // most requests name what the one before has named
			*to = string(word)
		}
		return p.check(*to)
	case *[]byte:
		*to = append([]byte{}, word...)
		return nil
	case *[]string:
		*to = append(*to, string(word))
		return nil
	case *bool:
		*to = true
		return nil
	}
	return p.set(reflect.ValueOf(at).Elem(), string(word))
}

// check checks a text against the tags.
func (p *Param) check(text string) error {
	if p.enum != nil && !slices.Contains(p.enum, text) {
		return fmt.Errorf("%w: want %s", ErrArgument, strings.Join(p.enum, " or "))
	}
	if p.match != nil && !p.match.MatchString(text) {
		return fmt.Errorf("%w: want a text that matches %s", ErrArgument, p.match)
	}
	return nil
}

// parse reads a text of one of Go's own types.
func (p *Param) parse(to reflect.Value, text string) error {
	switch to.Kind() {
	case reflect.Int, reflect.Int64:
		n, err := boardjson.ParseWhole(text)
		if err == nil && (to.OverflowInt(n) || p.least != nil && n < *p.least) {
			return ErrRange
		}
		to.SetInt(n)
		return wrong(err)
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			var whole int64
			if whole, err = boardjson.ParseWhole(text); err == nil && whole < 0 {
				return ErrRange
			}
			n = uint64(whole)
		}
		to.SetUint(n)
		return wrong(err)
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		to.SetFloat(f)
		if err != nil {
			err = fmt.Errorf("%.64q is no number", text)
		}
		return wrong(err)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		to.SetBool(b)
		if err != nil {
			err = fmt.Errorf("want true or false")
		}
		return wrong(err)
	case reflect.Slice:
		to.Set(reflect.ValueOf(strings.Split(text, ",")))
		return nil
	}
	if p.isText {
		var t boardjson.Text
		err := t.UnmarshalText([]byte(text))
		text = string(t)
		to.SetString(text)
		return err
	}
	to.SetString(text)
	return nil
}

// wrong returns an error as an ErrArgument; nil stays nil.
func wrong(err error) error {
	if err != nil {
		err = fmt.Errorf("%w: %w", ErrArgument, err)
	}
	return err
}

// Text is the inverse of Set: "" for an argument that need not be given, as it is its default.
func (p *Param) Text(args any) string {
	v := p.value(args)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	} else if v.IsZero() && p.fallback == "" && !p.Required {
		return ""
	}
	switch x := v.Interface().(type) {
	case time.Time:
		if x.IsZero() {
			return ""
		}
		return x.Format(time.RFC3339Nano)
	case board.Score:
		return boardjson.ScoreText(x)
	case encoding.TextMarshaler:
		text, _ := x.MarshalText()
		return string(text)
	case []string:
		return strings.Join(x, ",")
	case string:
		if p.isText {
			return boardjson.Text(x).String()
		}
		return x
	}
	return fmt.Sprint(v.Interface())
}

// Body returns a pointer to the body of arguments, nil if they have none. args points to the struct.
func Body(args any) any {
	v := reflect.ValueOf(args).Elem().FieldByName("Body")
	if !v.IsValid() {
		return nil
	}
	return v.Addr().Interface()
}

// timeForms are the forms of times that ParseTime reads beside numbers.
var timeForms = []string{time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", time.DateTime, time.DateOnly}

// ParseTime reads a time: RFC 3339; a date and perhaps a time of day, in UTC, as 2026-03-01 or 2026-03-01
// 12:00:00; seconds after 1970, with or without a fraction; milliseconds, as 1772323200000ms. It is one
// between the years 0 and 9999. Error: ErrArgument.
func ParseTime(text string) (time.Time, error) {
	for _, form := range timeForms {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	number, digits := text, 6
	if ms, ok := strings.CutSuffix(text, "ms"); ok {
		number, digits = ms, 3
	}
	if micros, ok := units(number, digits); ok && minMicros <= micros && micros <= maxMicros {
		return time.UnixMicro(micros).UTC(), nil
	}
	return time.Time{}, fmt.Errorf("%w: %.64q is no time: want 2026-03-01T12:00:00Z, or seconds after 1970", ErrArgument, text)
}

// units reads a number with at most so many digits behind a point, in units of the last of them.
func units(text string, digits int) (n int64, ok bool) {
	whole, part, point := strings.Cut(text, ".")
	if point && part == "" || len(part) > digits || strings.HasPrefix(whole, "+") {
		return 0, false
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", digits-len(part)), 10, 64)
	return n, err == nil && whole != "" && whole != "-"
}

// The first and the last microsecond of the years 0 to 9999 after 1970.
var (
	minMicros = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro()
	maxMicros = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro() - 1
)

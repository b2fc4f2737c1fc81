package ops

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
)

// Field is a field of a result as its JSON has it.
type Field struct {
	Name   string // as in the JSON
	Index  []int
	Omit   bool // it is not there if it is zero
	IsName bool // bytes of any kind: the name of a member or a group
}

// FieldsOf returns the fields of a struct that have JSON, those of embedded structs too, in their order.
func FieldsOf(t reflect.Type) []Field { return fieldsOf(t, nil) }

func fieldsOf(t reflect.Type, at []int) (all []Field) {
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(at), i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			all = append(all, fieldsOf(f.Type, index)...)
		case name != "" && name != "-":
			all = append(all, Field{name, index, strings.Contains(options, "omit"), strings.Contains(options, "text")})
		}
	}
	return all
}

// Kebab returns newRank as new-rank: the name of a field or an argument behind doors that write it so.
func Kebab(name string) string {
	var b strings.Builder
	for _, c := range name {
		if unicode.IsUpper(c) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

package specschema

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// checker finds out what a schema refuses. It knows the keywords that the schema has, and fails the test for others.
type checker struct {
	t        *testing.T
	root     object
	patterns map[string]*regexp.Regexp
}

// notes are the keywords that refuse nothing.
var notes = []string{"$schema", "title", "description", "default", "examples", "enumDescriptions"}

// refuses returns the reason why a schema refuses a value, "" for none.
func (c checker) refuses(s object, v any) string {
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		if why := c.keyword(s, keyword, s[keyword], v); why != "" {
			return why
		}
	}
	return ""
}

func (c checker) keyword(s object, keyword string, limit, v any) string {
	bad := func(is bool) string {
		if !is {
			return ""
		}
		return fmt.Sprintf("%.40v: want %s %.80v", v, keyword, limit)
	}
	text, isText := v.(string)
	number, isNumber := v.(float64)
	list, isList := v.([]any)
	switch keyword {
	case "$ref":
		return c.refuses(c.root, v)
	case "type":
		types, several := limit.([]any)
		if !several {
			types = []any{limit}
		}
		return bad(!slices.ContainsFunc(types, func(name any) bool { return isOf(name.(string), v) }))
	case "enum":
		return bad(!slices.Contains(limit.([]any), v))
	case "pattern":
		if c.patterns[limit.(string)] == nil {
			c.patterns[limit.(string)] = regexp.MustCompile(limit.(string))
		}
		return bad(isText && !c.patterns[limit.(string)].MatchString(text))
	case "minLength":
		return bad(isText && utf8.RuneCountInString(text) < int(limit.(float64)))
	case "maxLength":
		return bad(isText && utf8.RuneCountInString(text) > int(limit.(float64)))
	case "minimum":
		return bad(isNumber && number < limit.(float64))
	case "maximum":
		return bad(isNumber && number > limit.(float64))
	case "minItems":
		return bad(isList && len(list) < int(limit.(float64)))
	case "maxItems":
		return bad(isList && len(list) > int(limit.(float64)))
	case "items":
		for _, item := range list {
			if why := c.refuses(limit.(object), item); why != "" {
				return why
			}
		}
		return ""
	case "anyOf":
		return bad(!slices.ContainsFunc(limit.([]any), func(one any) bool { return c.refuses(one.(object), v) == "" }))
	case "required", "properties", "additionalProperties":
		return c.fields(s, keyword, v)
	}
	require.Contains(c.t, notes, keyword)
	return ""
}

// fields is keyword for those of objects.
func (c checker) fields(s object, keyword string, v any) string {
	fields, ok := v.(object)
	if !ok {
		return ""
	}
	if keyword == "required" {
		for _, name := range s[keyword].([]any) {
			if _, ok := fields[name.(string)]; !ok {
				return fmt.Sprint(name, " is missing")
			}
		}
		return ""
	}
	known, _ := s["properties"].(object)
	for name, value := range fields {
		of, ok := known[name].(object)
		switch more := s["additionalProperties"].(type) {
		case bool:
			if !ok && !more {
				return "there is no " + name
			}
		case object:
			of, ok = more, true
		}
		if ok && keyword == "properties" || of != nil && known == nil {
			if why := c.refuses(of, value); why != "" {
				return name + ": " + why
			}
		}
	}
	return ""
}

// isOf reports whether a value has a type of JSON schema.
func isOf(name string, v any) bool {
	switch v := v.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case object:
		return name == "object"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	}
	return false
}

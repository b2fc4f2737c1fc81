package wire

import (
	"strconv"
	"strings"
)

// oracle parses a whole stream in the simplest way: all requests up to the first that is incomplete or malformed. It checks only the limits that
// tests set.
type oracle struct {
	rest       string
	limits     Limits
	restricted bool
}

// requests returns the words of each request, and the text of the error in the bytes after the last, "" if these are only incomplete.
func (o *oracle) requests() (all [][]string, wrong string) {
	for o.rest != "" {
		words, ok, wrong := o.next()
		if wrong != "" || !ok {
			return all, wrong
		}
		if len(words) > 0 {
			all = append(all, words)
		}
	}
	return all, ""
}

func (o *oracle) next() (words []string, ok bool, wrong string) {
	if o.rest[0] == '*' {
		return o.multibulk()
	}
	line, rest, ok := strings.Cut(o.rest, "\n")
	if len(line) > o.limits.Inline {
		return nil, false, "too big inline request"
	}
	if !ok {
		return nil, false, ""
	}
	o.rest = rest
	words, ok = split(strings.TrimSuffix(line, "\r"))
	if !ok {
		return nil, false, "unbalanced quotes in request"
	}
	return words, true, ""
}

// line returns the next line, and continues after its end of two bytes.
func (o *oracle) line(kind string) (line string, ok bool, wrong string) {
	line, rest, ok := strings.Cut(o.rest, "\r")
	if len(line) > o.limits.Inline {
		return "", false, "too big " + kind + " count string"
	}
	if !ok || rest == "" {
		return "", false, ""
	}
	o.rest = rest[1:]
	return line, true, ""
}

func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil && strconv.Itoa(n) == s
}

// multibulk reads a request that begins with '*'.
func (o *oracle) multibulk() (words []string, ok bool, wrong string) {
	whole := len(o.rest)
	line, ok, wrong := o.line("mbulk")
	if !ok {
		return nil, ok, wrong
	}
	n, isInt := number(line[1:])
	if !isInt || n > o.limits.Args {
		return nil, false, "invalid multibulk length"
	}
	if o.restricted && n > 10 {
		return nil, false, "unauthenticated multibulk length"
	}
	for range n {
		line, ok, wrong := o.line("bulk")
		if !ok {
			return nil, ok, wrong
		}
		if !strings.HasPrefix(line, "$") {
			return nil, false, "expected '$', got '" + (line + "\r")[:1] + "'"
		}
		size, isInt := number(line[1:])
		switch {
		case !isInt || size < 0 || size > o.limits.Bulk:
			return nil, false, "invalid bulk length"
		case o.restricted && size > 16384:
			return nil, false, "unauthenticated bulk length"
		case whole-len(o.rest)+size+2 > o.limits.Request:
			return nil, false, "too big request"
		case size+2 > len(o.rest):
			return nil, false, ""
		}
		words = append(words, o.rest[:size])
		o.rest = o.rest[size+2:]
	}
	return words, true, ""
}

// split splits an inline request into words.
func split(line string) (words []string, ok bool) {
	for {
		line = strings.TrimLeft(line, " \t\n\v\f\r")
		if line == "" {
			return words, true
		}
		i := strings.IndexAny(line, " \t\n\r\"'")
		if i < 0 {
			return append(words, line), true
		}
		word, quote := line[:i], line[i]
		if line = line[i:]; quote == '"' || quote == '\'' {
			var text string
			if text, line, ok = unquote(line); !ok || line != "" && !strings.ContainsAny(line[:1], " \t\n\v\f\r") {
				return nil, false
			}
			word += text
		}
		words = append(words, word)
	}
}

var escapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\b`, "\b", `\a`, "\a")

// unquote reads a text in quotes, and returns it and the text after it.
func unquote(line string) (text, rest string, ok bool) {
	for i := 1; i < len(line); {
		size := 1
		switch {
		case line[i] == line[0]:
			return text, line[i+1:], true
		case strings.HasPrefix(line[i:], `\'`) && line[0] == '\'':
			size, text = 2, text+"'"
		case line[i] == '\\' && line[0] == '"' && i+1 < len(line):
			if n, err := strconv.ParseUint(line[min(i+2, len(line)):min(i+4, len(line))], 16, 8); err == nil && line[i+1] == 'x' && i+4 <= len(line) {
				size, text = 4, text+string([]byte{byte(n)})
				break
			}
			unescaped := escapes.Replace(line[i : i+2])
			size, text = 2, text+unescaped[len(unescaped)-1:]
		default:
			text += line[i : i+1]
		}
		i += size
	}
	return "", "", false
}

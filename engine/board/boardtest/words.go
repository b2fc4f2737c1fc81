package boardtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// args are the words of a line after its command. What parses them takes them one by one, and asks for the first error at last.
type args struct {
	words   []string
	options []option
	tail    string // all as it is written
	err     error
}

// option is a word KEY=VALUE.
type option struct{ key, value string }

var (
	optionForm = regexp.MustCompile(`^([a-z]+)=(.*)$`)
	repeatForm = regexp.MustCompile(`^(.)\*([0-9]+)$`)
)

// split takes a text apart at blanks. A word in double quotes, or the value of an option in double quotes, may hold blanks; it is
// quoted as in Go. x*1025 is 1025 times x.
func split(text string) (*args, error) {
	a := &args{tail: text}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		key := ""
		if m := optionForm.FindStringSubmatch(text); m != nil {
			key, text = m[1], m[2]
		}
		word, rest, err := first(text)
		if err != nil {
			return nil, err
		}
		text = rest
		if key != "" {
			a.options = append(a.options, option{key, word})
		} else {
			a.words = append(a.words, word)
		}
	}
	return a, nil
}

// first returns the first word of a text and what is behind it.
func first(text string) (word, rest string, err error) {
	if !strings.HasPrefix(text, `"`) {
		word, rest, _ = strings.Cut(text, " ")
		if m := repeatForm.FindStringSubmatch(word); m != nil {
			n, _ := strconv.Atoi(m[2])
			word = strings.Repeat(m[1], n)
		}
		return word, rest, nil
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", fmt.Errorf("%q: a word in quotes does not end", text)
	}
	word, err = strconv.Unquote(quoted)
	rest = text[len(quoted):]
	if rest != "" && rest[0] != ' ' {
		return "", "", fmt.Errorf("%q: a blank is missing behind %s", text, quoted)
	}
	return word, rest, err
}

func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, values...)
	}
}

// word takes the next word.
func (a *args) word(what string) string {
	if len(a.words) == 0 {
		a.fail("%s is missing", what)
		return ""
	}
	word := a.words[0]
	a.words = a.words[1:]
	return word
}

// rest takes all words that are left.
func (a *args) rest() []string {
	words := a.words
	a.words = nil
	return words
}

// number takes a word that is a whole number.
func (a *args) number(what string) int {
	word := a.word(what)
	n, err := strconv.Atoi(word)
	if err != nil {
		a.fail("%s is %q, want a whole number", what, word)
	}
	return n
}

// option takes the value of an option, and false if it is not there.
func (a *args) option(key string) (string, bool) {
	for i, o := range a.options {
		if o.key == key {
			a.options = append(a.options[:i:i], a.options[i+1:]...)
			return o.value, true
		}
	}
	return "", false
}

// count takes an option that is a whole number.
func (a *args) count(key string, otherwise int) int {
	text, ok := a.option(key)
	if !ok {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		a.fail("%s is %q, want a whole number", key, text)
	}
	return n
}

// parts takes what is between semicolons, each with its own words and options.
func (a *args) parts() (parts []*args) {
	_, tail, _ := strings.Cut(strings.TrimSpace(a.tail), " ")
	for text := range strings.SplitSeq(tail, ";") {
		part, err := split(text)
		if err != nil {
			a.fail("%w", err)
			continue
		}
		parts = append(parts, part)
	}
	a.words, a.options = nil, nil
	return parts
}

// done returns the first error, also of what nobody has taken.
func (a *args) done() error {
	if a.err == nil && len(a.words) > 0 {
		a.fail("unknown word %q", a.words[0])
	}
	if a.err == nil && len(a.options) > 0 {
		a.fail("unknown option %s=", a.options[0].key)
	}
	return a.err
}

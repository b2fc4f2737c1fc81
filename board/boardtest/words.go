package boardtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// args are the words and options of a line. A parser takes them one by one, and calls done at the end for the first error.
type args struct {
	words   []string
	options []option
	tail    string // the text of the line up to the answer
	err     error
}

// option is a word KEY=VALUE.
type option struct{ key, value string }

var (
	optionForm = regexp.MustCompile(`^([a-z]+)=(.*)$`)
	repeatForm = regexp.MustCompile(`^(.)\*([0-9]+)$`)
)

// split splits a text at blanks into words and options. A word or the value of an option may be in double quotes, as in Go, and contain
// blanks then. x*1025 is 1025 times x.
func split(text string) (*args, error) {
	a := &args{tail: text}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		key := ""
		if m := optionForm.FindStringSubmatch(text); m != nil {
			key, text = m[1], m[2]
		}
		word, rest, err := firstWord(text)
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

// firstWord returns the first word of a text, and the rest.
func firstWord(text string) (word, rest string, err error) {
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

// fail notes an error, unless there is one already.
func (a *args) fail(format string, values ...any) {
	if a.err == nil {
		a.err = fmt.Errorf(format, values...)
	}
}

// word takes the next word. name is what the error calls a missing word.
func (a *args) word(name string) string {
	if len(a.words) == 0 {
		a.fail("%s is missing", name)
		return ""
	}
	word := a.words[0]
	a.words = a.words[1:]
	return word
}

// rest takes all remaining words.
func (a *args) rest() []string {
	words := a.words
	a.words = nil
	return words
}

// number takes a word that is a whole number.
func (a *args) number(name string) int {
	word := a.word(name)
	n, err := strconv.Atoi(word)
	if err != nil {
		a.fail("%s is %q, want a whole number", name, word)
	}
	return n
}

// option takes the value of an option, and false if the line does not have it.
func (a *args) option(key string) (string, bool) {
	for i, o := range a.options {
		if o.key == key {
			a.options = append(a.options[:i:i], a.options[i+1:]...)
			return o.value, true
		}
	}
	return "", false
}

// count takes an option that is a whole number, or otherwise if the line does not have it.
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

// parts takes the rest of the line, split at semicolons into args.
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

// done returns the first error. A word or an option that was not taken is an error.
func (a *args) done() error {
	if a.err == nil && len(a.words) > 0 {
		a.fail("unknown word %q", a.words[0])
	}
	if a.err == nil && len(a.options) > 0 {
		a.fail("unknown option %s=", a.options[0].key)
	}
	return a.err
}

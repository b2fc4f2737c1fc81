package ops

import "strings"

// Word is a word of a command: see Op.Command.
type Word struct {
	Name     string // of the argument; "" for a word that stands for itself
	Keyword  string // of an option, or the word that stands for itself
	Optional bool   // an option that need not be there
	Flag     bool   // an option without a value
	Repeated bool   // an option that may be there several times
	Columns  bool   // the columns of a score, one or more words
	Choice   []Word // options of which one must be there; nil: it is no choice
}

// The words of reads that name the ranking, before and behind their own.
const (
	locatingPlaces  = "board window "
	locatingOptions = " [PERIOD period] [ASOF asOf] [WHICH which] [BASELINE baseline] [MODE mode] [META=meta]"
)

// Words returns the name of the command and its words, with those that name the ranking of a read.
func (o *Op) Words() (command string, words []Word) {
	command, rest, _ := strings.Cut(o.Command, " ")
	if o.IsRead() {
		rest = strings.TrimSpace(locatingPlaces + rest + locatingOptions)
	}
	for rest != "" {
		end := strings.IndexByte(rest+" ", ' ')
		if rest[0] == '[' || rest[0] == '(' {
			end = strings.IndexAny(rest, "])") + 1
		}
		more, repeated := strings.CutPrefix(rest[end:], "...")
		w := wordOf(rest[:end])
		w.Repeated = repeated
		words = append(words, w)
		rest = strings.TrimSpace(more)
	}
	return command, words
}

// wordOf reads one word.
func wordOf(text string) Word {
	inner := strings.Trim(text, "[]()")
	switch {
	case text[0] == '[':
		w := optionOf(inner)
		w.Optional = true
		return w
	case text[0] == '(':
		var choice []Word
		for either := range strings.SplitSeq(inner, "|") {
			choice = append(choice, optionOf(either))
		}
		return Word{Choice: choice}
	case text == strings.ToUpper(text):
		return Word{Keyword: text}
	}
	name, columns := strings.CutSuffix(text, "...")
	return Word{Name: name, Columns: columns}
}

// optionOf reads a keyword with the name of its value, or that of a flag.
func optionOf(text string) Word {
	if keyword, name, ok := strings.Cut(text, "="); ok {
		return Word{Keyword: keyword, Name: name, Flag: true}
	}
	keyword, name, _ := strings.Cut(text, " ")
	return Word{Keyword: keyword, Name: name}
}

package fuzz

import (
	"fmt"
	"strconv"
	"strings"
)

// Op is one operation. Fields that its kind does not have are zero.
type Op struct {
	Kind   string
	Key    string
	Member string
	Score  float64
	Step   float64
	Tie    uint64
	Lo, Hi int
	Low    string // ends of an interval of scores ("5", "(5") or members ("[a", "(a", "-", "+")
	High   string
}

// kinds lists every operation with its arguments: k key, m member or value, f score, g step, t tie, i and j numbers, l and h
// ends of an interval.
var kinds = []struct{ name, args string }{
	{"add", "kmf"},      // a member's score; its tie stays
	{"addt", "kmft"},    // a member's score and tie
	{"fill", "kmfgij"},  // members m<i> to m<j-1>, the first with score f, each next one with g more
	{"incr", "kmf"},     // a member's score by f
	{"rem", "km"},       // a member
	{"drain", "kmij"},   // members m<i> to m<j-1>
	{"popmin", "ki"},    // up to i entries with the lowest scores
	{"popmax", "ki"},    // the highest
	{"len", "k"},        //
	{"score", "km"},     // and the tie
	{"rank", "km"},      // from both ends
	{"range", "kij"},    // entries with ranks i to j-1
	{"revrange", "kij"}, // the same counted from the highest score
	{"count", "klh"},    // the ranks of the scores between l and h
	{"lex", "klh"},      // the ranks of the members between l and h, if all scores and ties are equal
	{"dump", "k"},       // every entry with its tie
	{"put", "km"},       // private key k gets value m
	{"del", "k"},        // private key k
	{"get", "k"},        //
	{"scan", "k"},       // the private keys that begin with k
	{"keys", ""},        // the sets that exist
	{"begin", ""},       // a transaction
	{"commit", ""},      //
	{"rollback", ""},
	{"panic", ""},    // in a transaction: rolls back too
	{"snapshot", ""}, //
	{"flush", ""},    //
	{"reopen", ""},   // close, and open again
}

// argsOf returns the arguments of a kind.
func argsOf(kind string) (args string, ok bool) {
	for _, k := range kinds {
		if k.name == kind {
			return k.args, true
		}
	}
	return "", false
}

// String returns the operation as a line that Parse reads.
func (op Op) String() string {
	args, _ := argsOf(op.Kind)
	words := []string{op.Kind}
	for _, a := range args {
		switch a {
		case 'k':
			words = append(words, quote(op.Key))
		case 'm':
			words = append(words, quote(op.Member))
		case 'f':
			words = append(words, number(op.Score))
		case 'g':
			words = append(words, number(op.Step))
		case 't':
			words = append(words, strconv.FormatUint(op.Tie, 10))
		case 'i':
			words = append(words, strconv.Itoa(op.Lo))
		case 'j':
			words = append(words, strconv.Itoa(op.Hi))
		case 'l':
			words = append(words, quote(op.Low))
		case 'h':
			words = append(words, quote(op.High))
		}
	}
	return strings.Join(words, " ")
}

// number writes a float so that two have one text only if they are equal in every bit.
func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// quote writes a text as one word.
func quote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_.:+-([", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return strconv.Quote(s)
}

// Parse reads a script: an operation a line; empty lines and lines that begin with # are passed over.
func Parse(text string) ([]Op, error) {
	var script []Op
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		op, err := parseOp(line)
		if err != nil {
			return nil, fmt.Errorf("fuzz: line %d: %w", i+1, err)
		}
		script = append(script, op)
	}
	return script, nil
}

// Print is the inverse of Parse.
func Print(script []Op) string {
	var b strings.Builder
	for _, op := range script {
		b.WriteString(op.String() + "\n")
	}
	return b.String()
}

// parseOp reads one line.
func parseOp(line string) (Op, error) {
	words, err := split(line)
	if err != nil {
		return Op{}, err
	}
	op := Op{Kind: words[0]}
	args, ok := argsOf(op.Kind)
	if !ok {
		return Op{}, fmt.Errorf("no operation is called %q", op.Kind)
	}
	if len(words) != 1+len(args) {
		return Op{}, fmt.Errorf("%s takes %d arguments, not %d", op.Kind, len(args), len(words)-1)
	}
	for i, a := range args {
		if err := op.set(a, words[1+i]); err != nil {
			return Op{}, err
		}
	}
	return op, nil
}

// set reads one argument.
func (op *Op) set(arg rune, word string) (err error) {
	switch arg {
	case 'k':
		op.Key = word
	case 'm':
		op.Member = word
	case 'f':
		op.Score, err = strconv.ParseFloat(word, 64)
	case 'g':
		op.Step, err = strconv.ParseFloat(word, 64)
	case 't':
		op.Tie, err = strconv.ParseUint(word, 10, 64)
	case 'i':
		op.Lo, err = strconv.Atoi(word)
	case 'j':
		op.Hi, err = strconv.Atoi(word)
	case 'l':
		op.Low = word
	case 'h':
		op.High = word
	}
	return err
}

// split takes a line apart into words; a quoted word is unquoted.
func split(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t") {
		if line[0] != '"' {
			end := strings.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, line[:end]), line[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("a quoted word in %q does not end", line)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words, line = append(words, word), line[len(quoted):]
	}
	return words, nil
}

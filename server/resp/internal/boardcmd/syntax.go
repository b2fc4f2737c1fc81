package boardcmd

import (
	"encoding"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// maxRows is the most rows of a reply: of rankings, journals, logs and lists. It is checked before any is read.
const maxRows = 10_000

// syntax is the words of a command: see ops.Op.Command.
type syntax struct {
	op      *ops.Op
	name    string // in lower case
	places  []place
	options []option
	least   int  // the least number of words of a request
	more    bool // there may be more

	arguments []argument    // all that words set: request.at has them in this order
	args      reflect.Value // the arguments with their defaults
	requests  sync.Pool     // of *request: empty ones
}

// place is a word that must be there.
type place struct {
	literal string // a word that stands for itself, in lower case
	arg     argument
	columns bool     // of a score: one or more words
	choice  []option // one of these words, and its value
}

// option is a word that need not be there.
type option struct {
	keyword string // in lower case
	arg     argument
	flag    bool // it has no value
}

// argument is where the value of a word goes: an argument of the operation, or of the Locator of a read.
type argument struct {
	*ops.Param
	at        int // its place in syntax.arguments
	ofLocator bool
	isMeta    bool       // META: it asks for metadata, and is no argument
	isName    bool       // of a mode, a state or a condition, in any case
	row       *ops.Param // of ASOF: the number of a row of the journal in place of a time
}

// newSyntax reads the words of an operation.
func newSyntax(op *ops.Op) *syntax {
	name, words := op.Words()
	s := &syntax{op: op, name: strings.ToLower(name), args: reflect.New(op.Args()).Elem(), least: 1}
	for _, p := range ops.ParamsOf(op.Args()) {
		_ = p.Set(s.args.Addr().Interface(), "") // a test reads all defaults
	}
	for _, w := range words {
		switch {
		case w.Optional:
			o := s.option(w)
			if s.options = append(s.options, o); o.keyword == "count" { // a list without it is as long as a reply may be
				_ = o.arg.Set(s.args.Addr().Interface(), strconv.Itoa(maxRows)) // a number, so it is no error
			}
			s.more = true
			continue
		case w.Choice != nil:
			var choice []option
			for _, either := range w.Choice {
				choice = append(choice, s.option(either))
			}
			s.places = append(s.places, place{choice: choice})
			s.least++
		case w.Name == "":
			s.places = append(s.places, place{literal: strings.ToLower(w.Keyword)})
		default:
			s.places = append(s.places, place{arg: s.argument(w.Name), columns: w.Columns})
		}
		s.least++
		s.more = s.more || w.Columns
	}
	return s
}

// option returns the option of a word.
func (s *syntax) option(w ops.Word) option {
	return option{strings.ToLower(w.Keyword), s.argument(w.Name), w.Flag}
}

// argument returns the argument with a name.
func (s *syntax) argument(name string) argument {
	if name == "meta" && (s.op.IsRead() || s.op == ops.AmongGroup.Op) {
		return argument{isMeta: true}
	}
	of, ofLocator := s.op.Args(), false
	p := named(of, name)
	if p == nil && s.op.IsRead() {
		of, ofLocator = reflect.TypeFor[ops.Locator](), true
		p = named(of, name)
	}
	if p != nil {
		a := argument{Param: p, at: len(s.arguments), ofLocator: ofLocator}
		_, isText := reflect.Zero(p.Field.Type).Interface().(encoding.TextMarshaler)
		a.isName = isText && (p.Field.Type.Kind() == reflect.Int || p.Field.Type.Kind() == reflect.Uint8) || name == "state"
		if name == "asOf" {
			a.row = named(of, "row")
		}
		s.arguments = append(s.arguments, a)
		return a
	}
	panic("boardcmd: " + s.op.Command + ": no argument " + name) // a test reads all syntaxes
}

func named(t reflect.Type, name string) *ops.Param {
	for _, p := range ops.ArgumentsOf(t) {
		if p.Name == name {
			return &p
		}
	}
	return nil
}

// takes reports whether a request may have a number of words, the name of the command included.
func (s *syntax) takes(words int) bool { return words == s.least || words > s.least && s.more }

// optionOf returns the option that a word is the name of, nil if there is none.
func optionOf(all []option, word []byte) *option {
	for i := range all {
		if command.Is(word, all[i].keyword) {
			return &all[i]
		}
	}
	return nil
}

package boardcmd

import (
	"encoding"
	"reflect"
	"strings"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// syntax is the words of a command: see ops.Op.Command.
type syntax struct {
	op      *ops.Op
	name    string // in lower case
	places  []place
	options map[string]option
	args    reflect.Value // the arguments with their defaults
}

// place is a word that must be there.
type place struct {
	literal string // a word that stands for itself, in capitals
	arg     argument
	columns bool                // of a score: one or more words
	choice  map[string]argument // one of these words, and its value
}

// option is a word that need not be there.
type option struct {
	arg  argument
	flag bool // it has no value
}

// argument is where the value of a word goes: an argument of the operation, or of the Locator of a read.
type argument struct {
	*ops.Param
	ofLocator bool
	isMeta    bool       // META: it asks for metadata, and is no argument
	isName    bool       // of a mode or a state, in any case
	row       *ops.Param // of ASOF: the number of a row of the journal in the place of a time
}

// newSyntax reads the words of an operation.
func newSyntax(op *ops.Op) *syntax {
	name, words := op.Words()
	s := &syntax{op: op, name: strings.ToLower(name), options: map[string]option{}, args: reflect.New(op.Args())}
	for _, p := range ops.ParamsOf(op.Args()) {
		_ = p.Set(s.args.Interface(), "") // a test reads all defaults
	}
	for _, w := range words {
		switch {
		case w.Optional:
			s.options[w.Keyword] = option{arg: s.argument(w.Name), flag: w.Flag}
		case w.Choice != nil:
			choice := map[string]argument{}
			for _, either := range w.Choice {
				choice[either.Keyword] = s.argument(either.Name)
			}
			s.places = append(s.places, place{choice: choice})
		case w.Name == "":
			s.places = append(s.places, place{literal: w.Keyword})
		default:
			s.places = append(s.places, place{arg: s.argument(w.Name), columns: w.Columns})
		}
	}
	return s
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
		a := argument{Param: p, ofLocator: ofLocator}
		_, isText := reflect.Zero(p.Field.Type).Interface().(encoding.TextMarshaler)
		a.isName = isText && p.Field.Type.Kind() == reflect.Int || name == "state"
		if name == "asOf" {
			a.row = named(of, "row")
		}
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

// least returns the least number of words of a request, and whether there may be more.
func (s *syntax) least() (n int, more bool) {
	n = 1
	for _, p := range s.places {
		n++
		if p.choice != nil {
			n++
		}
		more = more || p.columns
	}
	return n, more || len(s.options) > 0
}

// isOption reports whether a word is the name of an option.
func (s *syntax) isOption(word []byte) bool {
	_, ok := s.options[command.Upper(string(word))]
	return ok
}

package boardcmd

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// request is the words of a request as arguments, and its result. The requests of a syntax are used again, which saves what making one costs.
type request struct {
	args, result any // point to the arguments of the operation, and to its result
	locator      ops.Locator
	env          ops.Env
	at           []any // point to the arguments of the operation and of the locator that words set: see syntax.arguments
	chosen       bool  // words have set options: those that must be there are set by every request
	meta         bool  // META is there
	dry          bool  // DRYRUN is there
}

// request returns a request whose options are their defaults.
func (b *commands) request(s *syntax) *request {
	if r, ok := s.requests.Get().(*request); ok {
		return r
	}
	r := &request{args: reflect.New(s.op.Args()).Interface(), result: s.op.NewResult()}
	r.env = ops.Env{Boards: b.boards, MaxRows: maxRows, NoPeriods: true}
	for i := range s.arguments {
		r.at = append(r.at, s.arguments[i].At(r.of(&s.arguments[i])))
	}
	s.empty(r)
	return r
}

// of returns a pointer to the struct that an argument is a field of.
func (r *request) of(a *argument) any {
	if a.ofLocator {
		return &r.locator
	}
	return r.args
}

// release keeps a request for the next one.
func (s *syntax) release(r *request) {
	if reflect.ValueOf(r.result).Elem().SetZero(); r.chosen {
		s.empty(r)
	}
	s.requests.Put(r)
}

// empty sets the options to their defaults.
func (s *syntax) empty(r *request) {
	reflect.ValueOf(r.args).Elem().Set(s.args)
	r.locator, r.chosen, r.meta, r.dry = ops.Locator{}, false, false, false
}

// read reads the words behind the name of the command. columns returns those of a board, for the words of scores. Errors: refusals.
func (s *syntax) read(r *request, words [][]byte, columns func(name string) ([]board.Column, error)) (err error) {
	for i := range s.places {
		p := &s.places[i]
		if len(words) == 0 {
			return command.ErrArity(s.name)
		}
		switch {
		case p.literal != "":
			if !command.Is(words[0], p.literal) {
				err = command.ErrSyntax
			}
		case p.columns:
			words, err = s.readColumns(r, &p.arg, words, columns)
		case p.choice != nil:
			words, err = r.choose(p, words)
		default:
			err = r.set(&p.arg, words[0])
		}
		if err != nil {
			return err
		}
		if !p.columns {
			words = words[1:]
		}
	}
	return s.readOptions(r, words)
}

// choose reads a word that is one of several, and leaves its value to be the first of words, which is read.
func (r *request) choose(p *place, words [][]byte) ([][]byte, error) {
	o := optionOf(p.choice, words[0])
	if o == nil || len(words) < 2 {
		return words, command.ErrSyntax
	}
	words, r.chosen = words[1:], true
	err := r.set(&o.arg, words[0])
	if err == nil && reflect.ValueOf(r.at[o.arg.at]).Elem().IsZero() {
		err = command.ErrPositive
	}
	return words, err
}

// readOptions reads words in any order.
func (s *syntax) readOptions(r *request, words [][]byte) error {
	for len(words) > 0 {
		o := optionOf(s.options, words[0])
		if words = words[1:]; o == nil || !o.flag && len(words) == 0 {
			return command.ErrSyntax
		}
		r.chosen = true
		switch {
		case o.arg.isMeta:
			r.meta = true
		case o.flag:
			r.dry = r.dry || o.keyword == "dryrun"
			if err := o.arg.SetBytes(r.at[o.arg.at], nil); err != nil {
				return err
			}
		default:
			if err := r.set(&o.arg, words[0]); err != nil {
				return err
			}
			words = words[1:]
		}
	}
	return nil
}

// set sets an argument to a word.
func (r *request) set(a *argument, word []byte) error {
	switch {
	case a.row != nil && bytes.HasPrefix(word, []byte("#")):
		return refusal(a.row, a.row.Set(r.of(a), string(word[1:])))
	case a.isName:
		return a.SetBytes(r.at[a.at], bytes.ToLower(word))
	}
	return refusal(a.Param, a.SetBytes(r.at[a.at], word))
}

// refusal returns the error of an argument in Redis's words, where it has some.
func refusal(p *ops.Param, err error) error {
	if err == nil {
		return nil
	}
	switch k := p.Field.Type.Kind(); {
	case errors.Is(err, ops.ErrRange):
		return command.ErrPositive
	case k == reflect.Int || k == reflect.Int64 || k == reflect.Uint64 || k == reflect.Pointer && p.Field.Type.Elem().Kind() != reflect.Struct:
		return command.Refusal("ERR value is not an integer or out of range")
	}
	return err
}

// readColumns reads the columns of a score: the words before the first that is no number; the options follow, and no name of an option is a number.
func (s *syntax) readColumns(r *request, a *argument, words [][]byte, columns func(string) ([]board.Column, error)) (rest [][]byte, err error) {
	n := 0
	for n < len(words) {
		if _, err := rules.ParseValue(string(words[n])); err != nil {
			break
		}
		n++
	}
	score, rest := words[0], words[n:]
	if n != 1 {
		score = bytes.Join(words[:n], []byte(","))
	}
	if n > 0 && (len(rest) == 0 || optionOf(s.options, rest[0]) != nil) {
		return rest, a.SetBytes(r.at[a.at], score)
	}
	all, err := columns(r.args.(interface{ BoardName() string }).BoardName())
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(c board.Column) bool { return c.Of != nil }) // computed ones are not submitted
	if n < len(all) {
		return nil, notValue(all[n])
	}
	return rest, a.SetBytes(r.at[a.at], score)
}

// notValue refuses a word that should be the value of a column.
func notValue(c board.Column) error {
	if c.Kind == board.Float64 {
		return command.ErrNotFloat
	}
	least, most := board.Int(math.MinInt64), board.Int(math.MaxInt64)
	if c.Min != nil {
		least = *c.Min
	}
	if c.Max != nil {
		most = *c.Max
	}
	return command.Refusal(fmt.Sprintf("ERR value is not an integer from %v to %v", least, most))
}

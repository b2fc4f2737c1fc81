package boardcmd

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// request is the words of a request as arguments.
type request struct {
	args    any // points to the arguments of the operation
	locator ops.Locator
	meta    bool // META is there
	dry     bool // DRYRUN is there
	counted bool // COUNT is there
}

// read reads the words behind the name of the command. columns returns those of a board, for the words of scores. Errors: refusals.
func (s *syntax) read(words [][]byte, columns func(name string) ([]board.Column, error)) (*request, error) {
	args := reflect.New(s.op.Args())
	args.Elem().Set(s.args.Elem())
	r := &request{args: args.Interface()}
	for i := range s.places {
		p := &s.places[i]
		if len(words) == 0 {
			return nil, command.ErrArity(s.name)
		}
		var err error
		switch {
		case p.literal != "":
			if !strings.EqualFold(string(words[0]), p.literal) {
				err = command.ErrSyntax
			}
		case p.columns:
			words, err = s.readColumns(r, p.arg, words, columns)
		case p.choice != nil:
			words, err = r.choose(p, words)
		default:
			err = r.set(p.arg, words[0])
		}
		if err != nil {
			return nil, err
		}
		if !p.columns {
			words = words[1:]
		}
	}
	return r, s.readOptions(r, words)
}

// choose reads a word that is one of several, and leaves its value to be the first of words, which is read.
func (r *request) choose(p *place, words [][]byte) ([][]byte, error) {
	arg, ok := p.choice[command.Upper(string(words[0]))]
	if !ok || len(words) < 2 {
		return words, command.ErrSyntax
	}
	words = words[1:]
	err := r.set(arg, words[0])
	if err == nil && reflect.ValueOf(arg.Value(r.args)).IsZero() {
		err = command.ErrPositive
	}
	return words, err
}

// readOptions reads words in any order.
func (s *syntax) readOptions(r *request, words [][]byte) error {
	for len(words) > 0 {
		name := command.Upper(string(words[0]))
		o, ok := s.options[name]
		if words = words[1:]; !ok || !o.flag && len(words) == 0 {
			return command.ErrSyntax
		}
		r.dry, r.counted = r.dry || name == "DRYRUN", r.counted || name == "COUNT"
		switch {
		case o.arg.isMeta:
			r.meta = true
		case o.flag:
			if err := o.arg.SetBytes(r.args, nil); err != nil {
				return err
			}
		default:
			if err := r.set(o.arg, words[0]); err != nil {
				return err
			}
			words = words[1:]
		}
	}
	return nil
}

// set sets an argument to a word.
func (r *request) set(a argument, word []byte) error {
	args := r.args
	if a.ofLocator {
		args = &r.locator
	}
	if row, ok := bytes.CutPrefix(word, []byte("#")); ok && a.row != nil {
		return refusal(argument{Param: a.row}, a.row.Set(args, string(row)))
	}
	if a.isName {
		return a.SetBytes(args, bytes.ToLower(word))
	}
	return refusal(a, a.SetBytes(args, word))
}

// refusal returns the error of an argument in Redis's words, where it has some.
func refusal(a argument, err error) error {
	switch k := a.Field.Type.Kind(); {
	case err == nil:
		return nil
	case errors.Is(err, ops.ErrRange):
		return command.ErrPositive
	case k == reflect.Int || k == reflect.Int64 || k == reflect.Uint64 || k == reflect.Pointer && a.Field.Type.Elem().Kind() != reflect.Struct:
		return command.Refusal("ERR value is not an integer or out of range")
	}
	return err
}

// readColumns reads the columns of a score: the words before the first that is no number; the options follow, and no name of an option is a number.
func (s *syntax) readColumns(r *request, a argument, words [][]byte, columns func(string) ([]board.Column, error)) (rest [][]byte, err error) {
	n := 0
	for n < len(words) {
		if _, err := rules.ParseValue(string(words[n])); err != nil {
			break
		}
		n++
	}
	score, rest := bytes.Join(words[:n], []byte(",")), words[n:]
	if n > 0 && (len(rest) == 0 || s.isOption(rest[0])) {
		return rest, a.SetBytes(r.args, score)
	}
	all, err := columns(r.args.(interface{ BoardName() string }).BoardName())
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(slices.Clone(all), func(c board.Column) bool { return c.Of != nil }) // computed ones are not submitted
	if n < len(all) {
		return nil, notValue(all[n])
	}
	return rest, a.SetBytes(r.args, score)
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

package boardcmd

import (
	"encoding"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// argumentsOf returns the arguments of a command for COMMAND DOCS: what all of its syntaxes begin with, then one of the rests, if any.
func argumentsOf(of []*syntax) []command.Argument {
	var rests [][]command.Argument
	for _, s := range of {
		rests = append(rests, s.describe())
	}
	if len(of) == 1 {
		return rests[0]
	}
	var all, choice []command.Argument
	for len(rests[0]) > 0 && !slices.ContainsFunc(rests, func(r []command.Argument) bool { return len(r) == 0 || !reflect.DeepEqual(r[0], rests[0][0]) }) {
		all = append(all, rests[0][0])
		for i := range rests {
			rests[i] = rests[i][1:]
		}
	}
	for _, rest := range rests {
		if len(rest) > 1 {
			rest = []command.Argument{{Name: rest[0].Name, Type: "block", Arguments: rest}}
		}
		choice = append(choice, rest...)
	}
	one := oneOf(choice)
	one.Optional = len(choice) < len(rests)
	return append(all, one)
}

// oneOf returns an argument that is one of several.
func oneOf(all []command.Argument) command.Argument {
	if len(all) == 1 {
		return all[0]
	}
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	return command.Argument{Name: strings.Join(names, "-or-"), Type: "oneof", Arguments: all}
}

// describe returns the arguments of the words of a syntax.
func (s *syntax) describe() (all []command.Argument) {
	for _, p := range s.places {
		switch {
		case p.literal != "":
			all = append(all, tokenOf(strings.ToUpper(p.literal)))
		case p.choice != nil:
			var choice []command.Argument
			for _, o := range p.choice {
				choice = append(choice, o.describe())
			}
			all = append(all, oneOf(choice))
		default:
			a := p.arg.describe()
			a.Multiple = p.columns
			all = append(all, a)
		}
	}
	for _, o := range s.options {
		a := o.describe()
		a.Optional = true
		all = append(all, a)
	}
	return all
}

// describe returns the argument of a word with its value.
func (o *option) describe() command.Argument {
	token := strings.ToUpper(o.keyword)
	if o.flag {
		return tokenOf(token)
	}
	a := o.arg.describe()
	a.Token, a.Multiple = token, o.arg.Field.Type == reflect.TypeFor[[]string]()
	return a
}

// describe returns the argument of a value.
func (a *argument) describe() command.Argument {
	t := valueType(a.Param)
	d := command.Argument{Name: ops.Kebab(a.Name), Type: "string"}
	for _, text := range textsOf(a.Param) {
		d.Type, d.Arguments = "oneof", append(d.Arguments, tokenOf(text))
	}
	switch {
	case d.Arguments != nil:
	case t == reflect.TypeFor[time.Time]():
		d.Type = "unix-time"
	case t == reflect.TypeFor[board.Score]() || t.Kind() == reflect.Float64:
		d.Type = "double"
	case slices.Contains([]reflect.Kind{reflect.Int, reflect.Int64, reflect.Uint64}, t.Kind()):
		d.Type = "integer"
	}
	return d
}

// textsOf returns the values of an argument that has few: those of its tag, or of a type of numbers that have texts.
func textsOf(p *ops.Param) (all []string) {
	if tag := p.Field.Tag.Get("enum"); tag != "" {
		return strings.Split(tag, ",")
	}
	for i := range math.MaxUint8 {
		v := reflect.New(valueType(p))
		text, ok := v.Interface().(interface {
			encoding.TextMarshaler
			encoding.TextUnmarshaler
		})
		if !ok || !v.Elem().CanConvert(reflect.TypeFor[int]()) {
			return nil
		}
		want := reflect.ValueOf(i).Convert(v.Type().Elem())
		v.Elem().Set(want)
		b, err := text.MarshalText()
		if err != nil || text.UnmarshalText(b) != nil || !v.Elem().Equal(want) { // there is no such number
			break
		}
		if len(b) > 0 {
			all = append(all, string(b))
		}
	}
	return all
}

// valueType returns the type of an argument, which may be a pointer to it.
func valueType(p *ops.Param) reflect.Type {
	if p.Field.Type.Kind() == reflect.Pointer {
		return p.Field.Type.Elem()
	}
	return p.Field.Type
}

// tokenOf returns a word that stands for itself.
func tokenOf(word string) command.Argument {
	return command.Argument{Name: strings.ToLower(word), Type: "pure-token", Token: word}
}

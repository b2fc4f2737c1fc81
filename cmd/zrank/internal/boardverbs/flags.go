package boardverbs

import (
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// verb is a command of one operation.
type verb struct {
	op      *ops.Op
	name    string
	places  []place // arguments, in their order
	options []option

	at                                    target.Target
	format, ranks, asOf, baseline, period string
	locator                               ops.Locator // of a read
}

// place is an argument that must be there.
type place struct {
	param     *ops.Param
	ofLocator bool
}

// option is a flag.
type option struct {
	param *ops.Param
	name  string
	many  bool // the flag may be there several times
}

// newVerb reads the words of an operation. The score is one argument, with commas between its columns.
func newVerb(op *ops.Op) *verb {
	command, words := op.Words()
	v := &verb{op: op, name: strings.ToLower(strings.TrimPrefix(command, "BOARD."))}
	own, locating := ops.ArgumentsOf(op.Args()), ops.ArgumentsOf(reflect.TypeFor[ops.Locator]())
	for _, w := range words {
		p, ofLocator := named(own, w.Name), false
		if p == nil && op.IsRead() {
			p, ofLocator = named(locating, w.Name), true
		}
		switch {
		case p == nil || ofLocator && w.Name != "board": // read is what reads have of flags
		case w.Optional:
			v.options = append(v.options, option{p, kebab(w), w.Repeated})
		default:
			v.places = append(v.places, place{p, ofLocator})
		}
	}
	return v
}

func named(all []ops.Param, name string) *ops.Param {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// kebab returns the name of the flag of a word: dryRun is --dry-run, and a list has the keyword of its elements.
func kebab(w ops.Word) string {
	if w.Repeated {
		return strings.ToLower(w.Keyword)
	}
	var b strings.Builder
	for _, c := range w.Name {
		if unicode.IsUpper(c) {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// placeNames returns the names of the arguments as a help text has them.
func (v *verb) placeNames() (names []string) {
	for _, p := range v.places {
		names = append(names, strings.ToUpper(p.param.Name))
	}
	return names
}

// examples returns words for the arguments.
func (v *verb) examples() (words []string) {
	of := map[string]string{"board": "arena", "window": "all", "member": "ada", "score": "1500", "meta": "hat", "name": "start", "first": "1", "percent": "10"}
	for _, p := range v.places {
		word, ok := of[p.param.Name]
		if !ok {
			word = "3"
		}
		words = append(words, word)
	}
	return words
}

// helps are the help texts of arguments whose descriptions are comments of the contract.
var helps = map[string]string{
	"at": "when it happened, " + flags.TimeHelp + "; absent: now", "once": "a key: a later submission with the same one does nothing", "meta": "metadata of the entries that it changes",
	"skill": "what the member is put together with others by, in leagues with bands", "windows": "a window that it goes to; absent: all",
	"if": "when it counts: new, ranked or better", "reason": "why, for the audit log", "dryRun": "list what would change, and change nothing",
	"keepRanks": "leave the others the ranks that they have in closed periods", "members": "the name of a member",
}

// flags adds the flags of a verb.
func (v *verb) flags(c *cobra.Command) {
	fs := c.Flags()
	for _, o := range v.options {
		help := o.param.Field.Tag.Get("doc")
		if help == "" {
			help = helps[o.param.Name]
		}
		switch {
		case o.param.Field.Type.Kind() == reflect.Bool:
			fs.Bool(o.name, false, help)
		case o.many:
			fs.StringArray(o.name, nil, help)
		default:
			fs.String(o.name, o.param.Field.Tag.Get("default"), help)
		}
	}
	if !v.op.IsRead() {
		return
	}
	fs.StringVar(&v.locator.Window, "window", "", "window of the board, by its name (default: its first)")
	fs.StringVar(&v.locator.Period, "period", "", "period of the window: "+target.PeriodHelp+", which is the default")
	fs.StringVar(&v.locator.Baseline, "baseline", "", "a baseline of the window")
	fs.StringVar(&v.asOf, "as-of", "", "the ranking as it was at "+flags.TimeHelp+", or after a row of the board's journal, as #123")
	flags.Ranks(c, &v.ranks)
}

// arguments returns the arguments of the operation.
func (v *verb) arguments(c *cobra.Command, words []string) (any, error) {
	args := reflect.New(v.op.Args()).Interface()
	for _, p := range ops.ParamsOf(v.op.Args()) {
		if err := p.Set(args, ""); err != nil {
			return nil, err
		}
	}
	for i, p := range v.places {
		to := args
		if p.ofLocator {
			to = &v.locator
		}
		if err := set(p.param, to, strings.ToUpper(p.param.Name), words[i]); err != nil {
			return nil, err
		}
	}
	for _, o := range v.options {
		flag := c.Flags().Lookup(o.name)
		if !flag.Changed {
			continue
		}
		texts := []string{flag.Value.String()}
		if o.many {
			texts, _ = c.Flags().GetStringArray(o.name)
		}
		for _, text := range texts {
			if err := set(o.param, args, "--"+o.name, text); err != nil {
				return nil, err
			}
		}
	}
	return args, v.past()
}

// set sets an argument to a word of the command line.
func set(p *ops.Param, args any, name, text string) error {
	var err error
	switch p.Field.Type.Kind() {
	case reflect.String, reflect.Slice:
		if text, err = flags.ParseMember(text); err != nil {
			return err
		}
		err = p.SetBytes(args, []byte(text))
	default:
		err = p.Set(args, text)
	}
	if err != nil {
		return flags.Errorf("%s is %q: %w", name, text, err)
	}
	return nil
}

// past reads --as-of.
func (v *verb) past() (err error) {
	if row, ok := strings.CutPrefix(v.asOf, "#"); ok {
		n := uint64(0)
		if _, err := fmt.Sscan(row, &n); err != nil {
			return flags.Errorf("--as-of is %q, want a row as #123, or a time", v.asOf)
		}
		v.locator.Row = &n
		return nil
	}
	v.locator.AsOf, err = flags.ParseTime("as-of", v.asOf)
	return err
}

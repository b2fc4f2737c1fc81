package verbs

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// New returns the command.
func (d Command) New() *cobra.Command {
	k := &command{Command: &d}
	for _, op := range d.Ops {
		k.operations = append(k.operations, newOperation(op, d.Flags))
	}
	first := k.operations[0]
	use, short := d.Use, d.Short
	if !strings.Contains(use, " ") {
		use = strings.TrimSpace(use + " " + strings.Join(first.placeNames(), " "))
	}
	if short == "" {
		short = first.op.Summary
	}
	long := d.Long
	if long == "" {
		long = short + "."
	}
	if slices.ContainsFunc(k.operations, (*operation).hasNames) {
		long += "\n\n" + flags.MemberHelp
	}
	if k.names = first.placeNames(); !strings.Contains(use, "{") {
		k.names = strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(use))[1:]
	}
	k.c = &cobra.Command{Use: use, Short: short, Long: long, Example: d.Example, RunE: k.run, Args: k.checkArgs}
	k.at.Flags(k.c)
	flags.Format(k.c, &k.format)
	k.addFlags()
	if d.add != nil {
		d.add(k.c)
	}
	return k.c
}

// addFlags adds the flags of the operations.
func (k *command) addFlags() {
	fs, read := k.c.Flags(), false
	for _, o := range k.operations {
		read = read || o.op.IsRead() || isAmong(o.op)
		for _, a := range o.options {
			switch {
			case fs.Lookup(a.Name) != nil: // of another operation, too
			case a.param.Field.Type.Kind() == reflect.Bool:
				fs.Bool(a.Name, false, a.help())
			case a.many:
				fs.StringArrayP(a.Name, a.Flag.Short, nil, a.help())
			case a.all:
				fs.StringP(a.Name, a.Flag.Short, "", a.help())
			default:
				fs.StringP(a.Name, a.Flag.Short, cmp.Or(a.Default, a.param.Field.Tag.Get("default")), a.help())
			}
		}
	}
	if !read {
		return
	}
	flags.Ranks(k.c, &k.ranks)
	if fs.Lookup("window") == nil {
		fs.StringVar(&k.window, "window", "", helps["window"])
		fs.StringVar(&k.period, "period", "", helps["period"]+", which is the default")
		fs.StringVar(&k.baseline, "baseline", "", "a baseline of the window")
		fs.StringVar(&k.asOf, "as-of", "", "the ranking as it was at "+flags.TimeHelp+", or after a row of the board's journal, as #123")
	}
}

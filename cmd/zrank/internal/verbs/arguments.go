package verbs

import (
	"errors"
	"math"
	"os/user"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// arguments reads the arguments of an operation, and those of the Locator of a read.
func (k *command) arguments(o *operation, words []string) (args any, l ops.Locator, err error) {
	args = reflect.New(o.op.Args()).Interface()
	for _, p := range ops.ParamsOf(o.op.Args()) {
		if err := p.Set(args, ""); err != nil {
			return nil, l, err
		}
	}
	for i, word := range words {
		a, to := &o.places[i], args
		if a.ofLocator {
			to = &l
		}
		if err := a.set(to, k.names[i], word); err != nil {
			return nil, l, err
		}
	}
	if err := k.options(o, args); err != nil {
		return nil, l, err
	}
	if o.op.IsRead() || isAmong(o.op) {
		err = k.locator(&l)
	}
	return args, l, err
}

// options reads the flags of an operation.
func (k *command) options(o *operation, args any) error {
	var needed, given []string
	for i := range o.options {
		a := &o.options[i]
		flag := k.c.Flags().Lookup(a.Name)
		texts := []string{flag.Value.String()}
		if a.many {
			texts, _ = k.c.Flags().GetStringArray(a.Name)
		}
		if a.needed {
			needed = append(needed, "--"+a.Name)
		}
		switch {
		case a.all && !flag.Changed:
			texts = []string{strconv.Itoa(math.MaxInt32)}
		case !flag.Changed && (a.Default == "" || a.needed):
			continue
		}
		given = append(given, "--"+a.Name)
		for _, text := range texts {
			if err := a.set(args, "--"+a.Name, text); err != nil {
				return err
			}
			if n, ok := a.param.Value(args).(int); ok && n < a.Least && (a.Least > 0 || a.Name == "number") {
				return flags.Errorf("--%s is %d, want %d or more", a.Name, n, a.Least)
			}
			if slices.Contains(o.either, "--"+a.Name) && reflect.ValueOf(a.param.Value(args)).IsZero() {
				return flags.Errorf("--%s is %q, want a row from 1 on, or a time", a.Name, text)
			}
		}
	}
	for _, name := range needed {
		if !k.c.Flags().Changed(name[2:]) {
			return flags.Errorf("want %s%s", k.instead(o), and(needed))
		}
	}
	if n := len(slices.DeleteFunc(given, func(name string) bool { return !slices.Contains(o.either, name) })); o.either != nil && n != 1 {
		return flags.Errorf("want %s, and not both", strings.Join(o.either, " or "))
	}
	return k.others(o)
}

// instead names the argument with which the command would do another operation, in place of the flags that are missing.
func (k *command) instead(chosen *operation) string {
	for _, o := range k.operations {
		if n := len(chosen.places); len(o.places) == n+1 {
			return k.names[n] + ", or "
		}
	}
	return ""
}

// others refuses flags of the other operations of the command.
func (k *command) others(chosen *operation) error {
	for _, o := range k.operations {
		for _, a := range o.options {
			if k.c.Flags().Changed(a.Name) && chosen.option(a.Name) == nil {
				return flags.Errorf("--%s does not go with %s", a.Name, strings.Join(k.names[:len(chosen.places)], " "))
			}
		}
	}
	return nil
}

// option returns the flag with a name, nil if the operation has none.
func (o *operation) option(name string) *argument {
	for i := range o.options {
		if o.options[i].Name == name {
			return &o.options[i]
		}
	}
	return nil
}

// and returns "a, b and c".
func and(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// set sets an argument to a word of the command line.
func (a *argument) set(args any, name, text string) (err error) {
	if a.param.IsName() {
		if text, err = flags.ParseName(name, text); err != nil {
			return err
		}
	}
	switch a.param.Field.Type.Kind() {
	case reflect.String, reflect.Slice:
		err = a.param.SetBytes(a.param.At(args), []byte(text))
	default:
		if text == "" {
			err = errors.New("want a value")
		} else {
			err = a.param.Set(args, text)
		}
	}
	if err != nil {
		return flags.Errorf("%s is %q: %s", name, text, strings.TrimPrefix(err.Error(), ops.ErrArgument.Error()+": "))
	}
	return nil
}

// locator reads the flags of a read.
func (k *command) locator(l *ops.Locator) (err error) {
	if l.Mode, err = flags.ParseRanks(k.ranks); err != nil {
		return err
	}
	l.Window, l.Period, l.Baseline = k.window, k.period, k.baseline
	if text, ok := strings.CutPrefix(k.asOf, "#"); ok {
		row, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return flags.Errorf("--as-of is %q, want a row as #123, or a time", k.asOf)
		}
		l.Row = &row
		return nil
	}
	l.AsOf, err = flags.ParseTime("as-of", k.asOf)
	if !l.AsOf.IsZero() && l.Period != "" {
		return flags.Errorf("--period and a time of --as-of name a period each: give one of them")
	}
	return err
}

// machineUser returns the name of the user that runs the process, "" if it is unknown.
func machineUser() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

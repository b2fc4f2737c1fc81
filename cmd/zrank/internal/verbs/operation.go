package verbs

import (
	"reflect"
	"strings"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

// operation is an operation of a command.
type operation struct {
	op      *ops.Op
	places  []argument // those that must be there, in their order
	options []argument // flags
	either  []string   // names of flags of which one must be there
}

// Flag is an argument that has another name here, or that is a flag here.
type Flag struct {
	Argument string // as in the table
	Name     string // "": the same
	Short    string // one letter
	Default  string // "": that of the table
	Help     string // "": that of the table
	Least    int    // the least number
}

// argument is an argument of an operation, or of the Locator of a read.
type argument struct {
	param *ops.Param
	Flag
	ofLocator bool
	many      bool // the flag may be there several times
	needed    bool // the flag must be there
	all       bool // the default is all that there is
}

// newOperation reads the words of an operation. The score is one argument, with commas between its columns.
func newOperation(op *ops.Op, flags []Flag) *operation {
	o := &operation{op: op}
	own, locating := ops.ArgumentsOf(op.Args()), ops.ArgumentsOf(reflect.TypeFor[ops.Locator]())
	_, words := op.Words()
	for _, w := range words {
		a := argument{param: named(own, w.Name), many: w.Repeated, all: (w.Name == "n" || w.Name == "limit") && w.Optional}
		if a.param == nil && op.IsRead() && w.Name == "board" { // the rest of a Locator are flags that all reads have
			a.param, a.ofLocator = named(locating, w.Name), true
		}
		for _, either := range w.Choice {
			o.either = append(o.either, "--"+ops.Kebab(either.Name))
			o.options = append(o.options, argument{param: named(own, either.Name), Flag: Flag{Name: ops.Kebab(either.Name)}})
		}
		if a.param == nil || w.Name == "mode" || w.Name == "asOf" { // those of a read are of all reads
			continue
		}
		isFlag := w.Optional
		a.Flag = Flag{Argument: w.Name, Name: ops.Kebab(w.Name)}
		switch {
		case w.Repeated:
			a.Name = strings.ToLower(w.Keyword)
		case w.Name == "n" && w.Optional:
			a.Name, a.Flag.Short = "number", "n"
		}
		for _, f := range flags {
			if f.Argument == w.Name {
				isFlag, a.needed = true, !w.Optional && f.Default == "" && a.param.Field.Tag.Get("default") == ""
				a.Flag = f
				if f.Name == "" {
					a.Name = ops.Kebab(w.Name)
				}
			}
		}
		if !w.Optional && (w.Name == "window" || w.Name == "period") { // as in reads
			isFlag, a.needed = true, a.needed || w.Name == "period" && !isAmong(op)
		}
		if isFlag {
			o.options = append(o.options, a)
		} else {
			o.places = append(o.places, a)
		}
	}
	if by := named(own, "by"); by != nil && by.In == ops.InBody {
		o.options = append(o.options, argument{param: by, Flag: Flag{Name: "by", Help: "who does it, for the audit log (default: the user of the machine)"}})
	}
	return o
}

// isAmong reports whether an operation reads a ranking and has its own arguments for it.
func isAmong(op *ops.Op) bool { return op == ops.AmongGroup.Op }

func named(all []ops.Param, name string) *ops.Param {
	for i := range all {
		if all[i].Name == name {
			return &all[i]
		}
	}
	return nil
}

// placeNames returns the names of the arguments as a help text has them.
func (o *operation) placeNames() (names []string) {
	for _, p := range o.places {
		names = append(names, strings.ToUpper(p.param.Name))
	}
	return names
}

// hasNames reports whether an argument is the name of a member.
func (o *operation) hasNames() bool {
	for _, a := range append(o.places, o.options...) {
		if a.param.IsName() {
			return true
		}
	}
	return false
}

// argument returns the argument with a name, nil if the operation has none.
func (o *operation) argument(name string) *ops.Param {
	return named(ops.ArgumentsOf(o.op.Args()), name)
}

// helps are the help texts of arguments that have none in the table, as their descriptions are comments of the contract, or another one there.
var helps = map[string]string{
	"at": "when it happened, " + flags.TimeHelp + "; absent: now", "once": "a key: a later submission with the same one does nothing", "meta": "metadata, a text of yours",
	"skill": "what the member is put together with others by, in leagues with bands", "windows": "a window that it goes to; absent: all",
	"if": "when it counts: new, ranked or better", "reason": "why, for the audit log", "dryRun": "list what would change, and change nothing",
	"keepRanks": "leave the others the ranks that they have in closed periods", "members": "the name of a member",
	"window": "window of the board, by its name (default: its first)", "period": "period of the window: " + target.PeriodHelp,
	"near": "how many rows around the member's own to show, before it and after it", "overtaken": "how many of the members that it has passed to show",
	"row": "number of a row of the journal", "since": "from then on: " + flags.TimeHelp, "until": "before then", "n": "how many at most (default: all)", "limit": "how many at most (default: all)",
}

// help returns the help text of a flag.
func (a *argument) help() string {
	of := []string{a.Help, helps[a.param.Name], a.param.Field.Tag.Get("doc")}
	if a.param.Name == "at" {
		of[1], of[2] = of[2], of[1]
	}
	for _, text := range of {
		if text != "" {
			return strings.TrimSuffix(strings.ToLower(text[:1])+text[1:], ".")
		}
	}
	return ""
}

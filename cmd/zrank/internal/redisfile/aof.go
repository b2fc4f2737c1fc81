package redisfile

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/show"
	"github.com/zrankdb/zrank/internal/numbers"
	"github.com/zrankdb/zrank/server/resp/rdbfile"
	"github.com/zrankdb/zrank/server/resp/replica"
)

// plays reports whether the file may have commands that are to be executed. Error: options that commands do not have.
func (x *importing) plays() (bool, error) {
	if x.in.kind != preamble && x.in.kind != commands {
		return false, nil
	}
	for _, name := range []string{"map", "match", "db", "replace", "again"} {
		if x.c.Flags().Changed(name) {
			return false, flags.Errorf("--%s is for files of BGSAVE: %s has commands, which are executed one after the other on a directory without keys", name, x.in.name)
		}
	}
	return true, nil
}

// line says in one line what was read.
func (x *importing) line(r *rdbfile.ImportReport) string {
	if x.played == nil {
		return importLine(x.in.name, r)
	}
	text, what := show.Printable(x.in.name)+": ", "commands"
	if x.in.kind != commands {
		text, what = importLine(x.in.name, r)+"; ", "commands behind the keys"
	}
	text += numbers.Count(x.played.Commands) + " " + what
	if x.played.Cut {
		text += fmt.Sprintf("; the file ends within a command or a transaction, at byte %s, which is left out, as Redis does", numbers.Count(x.played.Offset))
	}
	return text
}

// commandRows are the lines of commands that were left out, or failed.
func (x *importing) commandRows() (list []row) {
	if x.played == nil {
		return nil
	}
	what := "executed"
	if x.dry {
		what = "would be executed"
	}
	list = append(list, row{Type: "command", What: what, Keys: int(x.played.Commands)})
	add := func(what string, of map[string]replica.Tally) {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			list = append(list, row{Type: "command", What: what + name, Keys: int(of[name].N), Example: of[name].Example})
		}
	}
	add("left out: not kept here: ", x.played.Types)
	add("failed: ", x.played.Failed)
	return list
}

// failed returns an error if commands have failed.
func (x *importing) failed() error {
	if x.played == nil || len(x.played.Failed) == 0 {
		return nil
	}
	return fmt.Errorf("%s: commands have failed, so that the directory is not what Redis had: see above", x.in.name)
}

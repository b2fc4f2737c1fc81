package boardcmd

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/ops"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// TestArgumentsHaveAllWords: the arguments of a command in COMMAND DOCS have every word of its operations, and what each is.
func TestArgumentsHaveAllWords(t *testing.T) {
	commands := map[string][]command.Argument{}
	for _, c := range Commands(nil, nil) {
		commands[c.Name] = c.Doc.Arguments
	}
	for _, op := range ops.All() {
		name, words := op.Words()
		if name == "" || op == ops.JoinGroup.Op {
			continue
		}
		arguments := flattened(commands[strings.ToLower(name)])
		for _, w := range words {
			for _, each := range append(w.Choice, w) {
				if each.Choice != nil {
					continue
				}
				a, ok := arguments[each.Keyword+" "+ops.Kebab(each.Name)]
				if each.Flag || each.Name == "" {
					a, ok = arguments[each.Keyword+" "+strings.ToLower(each.Keyword)]
				}
				require.True(t, ok, "%s: %+v", name, each)
				require.Equal(t, each.Flag || each.Name == "", a.Type == "pure-token", "%s: %+v", name, each)
				require.Equal(t, each.Repeated || each.Columns, a.Multiple, "%s: %+v", name, each)
				require.True(t, a.Optional || !each.Optional, "%s: %+v", name, each)
			}
		}
	}
}

// flattened returns arguments and those in them, by token and name.
func flattened(list []command.Argument) map[string]command.Argument {
	all := map[string]command.Argument{}
	for _, a := range list {
		all[a.Token+" "+a.Name] = a
		for key, inner := range flattened(a.Arguments) {
			all[key] = inner
		}
	}
	return all
}

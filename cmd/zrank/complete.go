package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func newCompletion() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands in bash, zsh, fish or powershell",
		Long: `Print a script that lets a shell complete commands, flags and their values: boards, windows, periods and kinds of groups of the directory that
--dir names, unless another process has it open, or of the server that --addr names.`,
		Example: `  source <(zrank completion bash)
  zrank completion zsh > "${fpath[1]}/_zrank"
  zrank completion fish > ~/.config/fish/completions/zrank.fish
  zrank completion powershell | Out-String | Invoke-Expression`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(out)
			}
			return flags.Errorf("unknown shell %q: want bash, zsh, fish or powershell", args[0])
		},
	}
}

// flagValues are the values of flags with a fixed list of them.
var flagValues = map[string][]string{
	"format":     {"table", "csv", "json"},
	"ranks":      {"ordinal", "competition", "modified", "dense"},
	"durability": {"sync", "interval", "none"},
	"op":         {"best", "last", "first", "sum", "min", "max"},
	"order":      {"desc", "asc"},
	"ties":       {"first", "last", "member"},
	"scores":     {"7.2", "7.0"},
	"kind":       {"ban", "unban", "hide", "show", "revert", "erase", "rename", "merge", "correct", "tier"},
	"state":      {"waiting", "failed", "granted", "withheld", "expired"},
}

// completions registers the completion of flags and arguments for every command below root. It knows flags by their names, and arguments by
// their names in the command's Use.
func completions(root *cobra.Command) {
	for _, c := range below(root) {
		for name, values := range flagValues {
			completeFlag(c, name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
		completeFlag(c, "dir", directories)
		completeFlag(c, "board", fromBoards(boardNames))
		if c.Flags().Lookup("period") != nil { // elsewhere --since is a time
			for _, name := range []string{"period", "since", "from", "to"} {
				completeFlag(c, name, fromBoards(periodNames))
			}
		}
		if c.Flags().Lookup("spec") == nil || c.Flags().Lookup("addr") != nil { // elsewhere --window describes a new window beside --spec
			completeFlag(c, "window", fromBoards(func(_ context.Context, b board.Board, _ string) []string { return windowNames(b) }))
		}
		for _, name := range []string{"addr", "key", "by", "reason", "member"} {
			completeFlag(c, name, cobra.NoFileCompletions)
		}
		if c.ValidArgsFunction == nil && len(c.ValidArgs) == 0 {
			c.ValidArgsFunction = completeArgs
		}
	}
}

// completeFlag sets the completion of a flag, if the command has it.
func completeFlag(c *cobra.Command, name string, complete cobra.CompletionFunc) {
	if c.Flags().Lookup(name) != nil {
		_ = c.RegisterFlagCompletionFunc(name, complete) // it fails only without such a flag, or if it is registered twice
	}
}

// argNames returns the names of the arguments of a command, those that may be left out too.
func argNames(c *cobra.Command) []string {
	names := strings.Fields(c.Use)[1:]
	for i, name := range names {
		names[i] = strings.Trim(name, "[]")
	}
	return names
}

// completeArgs completes an argument by its name.
func completeArgs(c *cobra.Command, args []string, start string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := argNames(c)
	if len(names) > 0 && names[len(names)-1] == "FILE..." {
		return nil, cobra.ShellCompDirectiveDefault
	}
	if len(args) >= len(names) {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	switch names[len(args)] {
	case "BOARD":
		return fromBoards(boardNames)(c, args, start)
	case "KIND":
		return fromTarget(func(d target.Boards) ([]string, error) { return d.GroupKinds(c.Context()) })(c, args, start)
	case "FILE":
		return nil, cobra.ShellCompDirectiveDefault
	case "DEST", "NEWDIR", "BACKUP":
		return directories(c, args, start)
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func directories(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// fromBoards completes with names from the boards of the directory.
func fromBoards(names func(ctx context.Context, b board.Board, window string) []string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, start string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var only []string // the board that the command line names; none: all boards
		if i := slices.Index(argNames(c), "BOARD"); i >= 0 && i < len(args) {
			only = args[i : i+1]
		}
		return fromTarget(func(d target.Boards) (found []string, err error) {
			all, err := target.Named(c.Context(), d, only)
			for _, b := range all {
				found = append(found, names(c.Context(), b, flagText(c, "window"))...)
			}
			return found, err
		})(c, args, start)
	}
}

// fromTarget completes with names from the directory or the server, and with nothing if it cannot be opened. It changes no data.
func fromTarget(names func(d target.Boards) ([]string, error)) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, _ string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
		_ = target.Of(c).LookUp(func(d target.Boards) (err error) {
			found, err = names(d)
			return err
		})
		slices.Sort(found)
		return slices.Compact(found), cobra.ShellCompDirectiveNoFileComp
	}
}

// flagText returns the value of a flag, or "" if the command has no such flag.
func flagText(c *cobra.Command, name string) string {
	if f := c.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

func boardNames(_ context.Context, b board.Board, _ string) []string { return []string{b.Name()} }

func windowNames(b board.Board) (names []string) {
	for _, w := range b.Spec().Windows {
		names = append(names, w.Name)
	}
	return names
}

// periodNames returns the periods with members of a window, by default of the board's first window, and the words for two of them.
func periodNames(ctx context.Context, b board.Board, win string) (names []string) {
	if win == "" {
		win = b.Spec().Windows[0].Name
	}
	periods, err := b.Periods(ctx, win)
	if err != nil {
		return nil
	}
	for _, p := range periods {
		names = append(names, p.Period)
	}
	return append(names, target.Last, target.Latest)
}

package main

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/target"
	"github.com/zrankdb/zrank/internal/numbers"
)

// plainErrors makes root and its commands report a wrong call in one line, which names the command and its help. Cobra would print several.
func plainErrors(root *cobra.Command) {
	root.SilenceUsage, root.SilenceErrors = true, true
	root.DisableSuggestions = true // noCommand suggests in one line
	root.SuggestionsMinimumDistance = 2
	root.SetFlagErrorFunc(flagError)
	for _, c := range below(root) {
		if check := c.Args; check != nil {
			c.Args = func(c *cobra.Command, args []string) error {
				if check(c, args) == nil {
					return nil
				}
				takesNone := check(c, nil) == nil && check(c, []string{""}) != nil
				return argsError(c, args, takesNone)
			}
		}
	}
}

// below returns the commands below c, and theirs.
func below(c *cobra.Command) (all []*cobra.Command) {
	for _, sub := range c.Commands() {
		all = append(append(all, sub), below(sub)...)
	}
	return all
}

// argsError returns the error for a wrong number of arguments. It names those that the command takes, if any.
func argsError(c *cobra.Command, args []string, takesNone bool) error {
	if takesNone && c.HasSubCommands() {
		return noCommand(c, args[0])
	}
	if takesNone {
		return flags.Errorf("%s takes no arguments, not %q: see %q", c.CommandPath(), args[0], c.CommandPath()+" --help")
	}
	_, takes, _ := strings.Cut(c.Use, " ")
	return flags.Errorf("%s takes %s, not %s: see %q", c.CommandPath(), takes, numbers.Plural(len(args), "argument"), c.CommandPath()+" --help")
}

// flagError returns an error about a flag, without the names of Go's functions.
func flagError(c *cobra.Command, err error) error {
	text := err.Error()
	if text == "unknown flag: --addr" && c.Flags().Lookup("dir") != nil {
		return flags.Errorf("%s works on the directory itself: it needs --dir, and no --addr", c.CommandPath())
	}
	if number := new(strconv.NumError); errors.As(err, &number) {
		want := "want a number"
		switch {
		case errors.Is(number, strconv.ErrRange):
			want = "it is out of range"
		case number.Func == "ParseInt" || number.Func == "ParseUint" || number.Func == "Atoi":
			want = "want a whole number"
		case number.Func == "ParseBool":
			want = "want true or false"
		}
		text = strings.TrimSuffix(text, number.Error()) + want
	}
	return flags.Errorf("%s: see %q", text, c.CommandPath()+" --help")
}

// checkDirectory returns an error if a command that works on a directory itself would take the default one, although the environment names a server.
func checkDirectory(c *cobra.Command) error {
	dir := c.Flags().Lookup("dir")
	memory, _ := c.Flags().GetBool("memory") // of serve
	if dir == nil || dir.Changed || memory || c.Flags().Lookup("addr") != nil || os.Getenv(target.AddrEnv) == "" || os.Getenv(flags.DirEnv) != "" {
		return nil
	}
	return flags.Errorf("%s works on the directory itself, and %s is for other commands: say --dir", c.CommandPath(), target.AddrEnv)
}

// unknownCommand returns noCommand for the word that cobra's error quotes.
func unknownCommand(root *cobra.Command, args []string, err error) error {
	text := err.Error()
	i := slices.IndexFunc(args, func(word string) bool { return strings.Contains(text, strconv.Quote(word)) })
	if i < 0 {
		return flags.Wrong(err)
	}
	return noCommand(root, args[i])
}

// noCommand returns an error that root has no command called name, with suggestions.
func noCommand(root *cobra.Command, name string) error {
	meant := ""
	if like := root.SuggestionsFor(name); name != "" && len(like) > 0 {
		for i, word := range like {
			like[i] = strconv.Quote(word)
		}
		meant = "did you mean " + strings.Join(like, " or ") + "? "
	}
	return flags.Errorf("unknown command %q: %s\"zrank help\" lists all", name, meant)
}

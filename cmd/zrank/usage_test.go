package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestWrongUse: each wrong call gives an error of one line, and exit code 2.
func TestWrongUse(t *testing.T) {
	for _, c := range []struct {
		why  string
		args []string
	}{
		{`unknown command "topp": did you mean "top"? "zrank help" lists all`, []string{"topp"}},
		{`unknown command "TOP": did you mean "top"? "zrank help" lists all`, []string{"TOP", "arena"}},
		{`unknown command "xyzzy": "zrank help" lists all`, []string{"xyzzy"}},
		{`unknown command "xyzzy\n": "zrank help" lists all`, []string{"xyzzy\n"}},
		{`unknown command "": "zrank help" lists all`, []string{""}},
		{`unknown command "nosuch": "zrank help" lists all`, []string{"help", "nosuch"}},
		{`unknown command "topp": did you mean "top"? "zrank help" lists all`, []string{"help", "topp"}},
		{`zrank help takes [COMMAND [SUBCOMMAND]], not 3 arguments: see "zrank help --help"`, []string{"help", "groups", "join", "x"}},
		{`unknown command "top x": did you mean "top"? "zrank help" lists all`, []string{"help", "top", "x"}},
		{`unknown command "joi": did you mean "join"? "zrank help" lists all`, []string{"groups", "joi"}},
		{`zrank groups join takes KIND MEMBER GROUP, not 1 argument: see "zrank groups join --help"`, []string{"groups", "join", "guild"}},
		{`zrank top takes BOARD, not 0 arguments: see "zrank top --help"`, []string{"top"}},
		{`zrank rank takes BOARD MEMBER, not 1 argument: see "zrank rank --help"`, []string{"rank", "arena"}},
		{`zrank history takes BOARD [MEMBER], not 3 arguments: see "zrank history --help"`, []string{"history", "a", "b", "c"}},
		{`zrank replay takes FILE..., not 0 arguments: see "zrank replay --help"`, []string{"replay"}},
		{`zrank check takes no arguments, not "data": see "zrank check --help"`, []string{"check", "data"}},
		{`unknown flag: --dirr: see "zrank top --help"`, []string{"top", "--dirr", "x", "arena"}},
		{`unknown flag: --dirr: see "zrank --help"`, []string{"--dirr"}},
		{`unknown shorthand flag: 'z' in -z: see "zrank top --help"`, []string{"top", "-z", "arena"}},
		{`flag needs an argument: --dir: see "zrank top --help"`, []string{"top", "--dir"}},
		{`--number is "x": want a whole number`, []string{"top", "-n", "x", "arena"}},
		{`--number is "99999999999999999999": want a whole number of 64 bits`, []string{"top", "-n", "99999999999999999999", "a"}},
		{`invalid argument "x" for "--yes" flag: want true or false`, []string{"close", "--yes=x", "arena"}},
		{`unknown format "xml": choose table, csv or json`, []string{"boards", "--format", "xml"}},
		{`unknown shell "csh": want bash, zsh, fish or powershell`, []string{"completion", "csh"}},
	} {
		fails(t, 2, c.why, c.args...)
	}
}

// TestEveryCommandRefusesPlainly gives each command a flag that it does not have and more arguments than any takes.
func TestEveryCommandRefusesPlainly(t *testing.T) {
	for _, c := range commands() {
		words := strings.Fields(c.CommandPath())[1:]
		fails(t, 2, "unknown flag: --nosuch", append(words, "--nosuch")...)
		if !slices.Contains([]string{"zrank replay", "zrank union", "zrank move", "zrank export"}, c.CommandPath()) { // which take any number
			why := c.CommandPath() + " takes"
			if c.HasSubCommands() {
				why = `unknown command "a"`
			}
			fails(t, 2, why, append(words, "a", "b", "c", "d", "e")...)
		}
	}
}

// TestEveryCommandHasExamples parses the examples in the help of each command: the flags exist, and the arguments are as many as it takes.
func TestEveryCommandHasExamples(t *testing.T) {
	for _, c := range commands() {
		require.NotEmpty(t, c.Short, c.Name())
		require.NotEmpty(t, c.Long, c.Name())
		calls := 0
		for line := range strings.Lines(c.Example) {
			_, call, ok := strings.Cut(line, c.CommandPath())
			if !ok {
				continue
			}
			calls++
			call, _, _ = strings.Cut(call, "|")
			call, _, _ = strings.Cut(call, ">")
			call, _, _ = strings.Cut(call, ")")
			command, _, err := newRoot(new(bool)).Find(strings.Fields(c.CommandPath())[1:])
			require.NoError(t, err, line)
			require.NoError(t, command.ParseFlags(strings.Fields(call)), line)
			require.NoError(t, command.ValidateArgs(command.Flags().Args()), line)
		}
		require.Positive(t, calls, "%s has no example", c.Name())
	}
}

// commands returns every command but the root.
func commands() []*cobra.Command {
	return below(newRoot(new(bool)))
}

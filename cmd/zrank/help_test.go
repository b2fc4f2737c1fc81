package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHelpIsShort: --help of each command that lists no others fits on a screen, and says where the rest is.
func TestHelpIsShort(t *testing.T) {
	for _, c := range commands() {
		name := strings.Fields(c.CommandPath())[1:]
		short, full := must(t, append(name, "--help")...), must(t, append([]string{"help"}, name...)...)
		require.True(t, strings.HasPrefix(full, strings.SplitN(short, "\n\n", 2)[0]), "%s\n%s", short, full)
		require.Contains(t, short, "Usage:\n  zrank "+strings.Join(name, " "))
		if !c.HasSubCommands() {
			require.LessOrEqual(t, strings.Count(short, "\n"), 25, "%s", short)
		}
		if c.Flags().Lookup("dir") != nil {
			require.Contains(t, short, `"zrank help `+strings.Join(name, " ")+`" has the rest, and`)
			require.Contains(t, short, " --dir")
			require.Contains(t, full, "--dir string")
		}
	}
}

// TestTopics: each command is in one group of the list of all, but for help, completion and version.
func TestTopics(t *testing.T) {
	var without []string
	for _, c := range newRoot(new(bool)).Commands() {
		if c.GroupID == "" {
			without = append(without, c.Name())
		}
	}
	require.Equal(t, []string{"completion", "help", "version"}, without)
	names := 0
	for _, of := range topics {
		names += len(strings.Fields(of.names))
	}
	require.Len(t, newRoot(new(bool)).Commands(), names+len(without))
}

// TestStart: zrank alone says what one does with it, and all of that is there.
func TestStart(t *testing.T) {
	text := must(t)
	require.Equal(t, 5, strings.Count(text, "\n  zrank "))
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 1 && strings.HasPrefix(line, "  zrank ") {
			require.Contains(t, must(t, "help"), "\n  "+words[1]+" ")
		}
	}
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

var (
	fenceOnPage = regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```")
	codeOnPage  = regexp.MustCompile("`[^`]+`")
	callOnPage  = regexp.MustCompile(`(?:^|[\s(;/])zrank ([a-z](?:[^|>;()&\x60\n]|'[^']*')*)`)
	flagOnPage  = regexp.MustCompile(`(?:^|[ \x60])--([a-z][a-z-]*)`)

	// otherFlags are flags that pages have in inline code and that are not of zrank, but of bench and zrankfuzz.
	otherFlags = []string{"cases", "config", "n", "quick", "sets"}
)

// TestPagesCallWhatThereIs checks the calls of zrank in the code on pages: the command exists and has the flags. Flags that stand alone are some command's;
// in a row of a table that begins with commands, one of theirs.
func TestPagesCallWhatThereIs(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	all, calls := commands(), 0
	for _, page := range append(pages, "../../README.md", "../../RELIABILITY.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		prose := fenceOnPage.ReplaceAllString(string(text), "")
		code := strings.Join(codeOnPage.FindAllString(prose, -1), "\n")
		for _, block := range fenceOnPage.FindAllStringSubmatch(string(text), -1) {
			code += "\n" + block[1]
		}
		for _, m := range callOnPage.FindAllStringSubmatch(strings.ReplaceAll(code, "`", ""), -1) {
			if c := commandOnPage(t, page, m[1]); c != nil {
				calls++
				checkFlags(t, page, m[1], c)
			}
		}
		for line := range strings.Lines(prose) {
			if strings.HasPrefix(line, "| `zrank") {
				checkRow(t, page, line)
				continue
			}
			for _, code := range codeOnPage.FindAllString(line, -1) {
				if strings.HasPrefix(code, "`--") {
					checkFlags(t, page, code, all...)
				}
			}
		}
	}
	require.Greater(t, calls, 80)
}

// commandOnPage returns the command that a call names.
func commandOnPage(t *testing.T, page, call string) *cobra.Command {
	c, _, err := newRoot(new(bool)).Find(strings.Fields(call))
	if err != nil || !c.HasParent() {
		t.Errorf("%s: zrank %s: there is no such command", page, call)
		return nil
	}
	return c
}

// checkFlags checks that each long flag in a text is one of the commands'.
func checkFlags(t *testing.T, page, text string, of ...*cobra.Command) {
	for _, m := range flagOnPage.FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(of, func(c *cobra.Command) bool {
			c.InitDefaultHelpFlag()
			c.InitDefaultVersionFlag()
			return c.Flags().Lookup(m[1]) != nil
		}) && !(len(of) > 1 && slices.Contains(otherFlags, m[1])) {
			t.Errorf("%s: %s: there is no flag --%s", page, strings.TrimSpace(text), m[1])
		}
	}
}

// checkRow checks a row of a table whose first cell has commands: `zrank ban`, `unban BOARD MEMBER`.
func checkRow(t *testing.T, page, row string) {
	cells := strings.Split(row, "|")
	var of []*cobra.Command
	for _, code := range codeOnPage.FindAllString(cells[1], -1) {
		call := strings.TrimPrefix(strings.Trim(code, "`"), "zrank ")
		if len(of) > 0 && strings.HasPrefix(of[0].CommandPath(), "zrank groups") && !strings.HasPrefix(call, "groups") {
			call = "groups " + call
		}
		if c := commandOnPage(t, page, call); c != nil {
			of = append(of, c)
			if c.Parent().HasParent() { // the row of one command of a group may name another one
				c = c.Parent()
			}
			of = append(of, c.Commands()...)
		}
	}
	for _, code := range codeOnPage.FindAllString(strings.Join(cells[2:], "|"), -1) {
		checkFlags(t, page, code, append(of, new(cobra.Command))...)
	}
}

// TestHelpNamesWhatThereIs: a help text that names another command names one that exists, with flags that it has; flags that stand alone are some command's.
func TestHelpNamesWhatThereIs(t *testing.T) {
	all, quoted := append(commands(), newRoot(new(bool))), regexp.MustCompile(`"(zrank [^"]+)"`)
	for _, c := range all {
		text := c.Short + "\n" + c.Long + "\n" + c.Flags().FlagUsages()
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			call := strings.TrimPrefix(strings.Join(strings.Fields(m[1]), " "), "zrank ")
			if strings.HasPrefix(call, "-") {
				continue
			}
			if named := commandOnPage(t, c.CommandPath(), call); named != nil {
				checkFlags(t, c.CommandPath(), call, named)
			}
		}
		checkFlags(t, c.CommandPath(), text, all...)
	}
}

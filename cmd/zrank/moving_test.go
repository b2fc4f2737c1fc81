package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/redistest"
)

// step is a command of a page, and what it prints there.
type step struct{ command, output string }

// stepsOf returns the commands in the console blocks of a page.
func stepsOf(page string) (steps []step) {
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(page, -1) {
		for line := range strings.Lines(block[1]) {
			last := len(steps) - 1
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				steps = append(steps, step{command: command})
			} else if more, ok := strings.CutPrefix(line, "> "); ok {
				steps[last].command += more
			} else {
				steps[last].output += line
			}
		}
	}
	return steps
}

var (
	digits = regexp.MustCompile(`[0-9]+`)
	spaces = regexp.MustCompile(`[ ─]+`)
	keys   = regexp.MustCompile(`(lb|points):\S+`) // in examples, of which there are several
)

// shape is an output without its numbers, its spaces and the examples in it, which depend on the day and on the version of Redis.
func shape(output string) string {
	output = keys.ReplaceAllString(output, "KEY")
	return strings.TrimSpace(spaces.ReplaceAllString(digits.ReplaceAllString(output, "#"), " "))
}

// TestMoving executes docs/moving.md: each line that a command prints there is printed here, but for numbers.
func TestMoving(t *testing.T) {
	for _, program := range []string{"redis-server", "redis-cli", "redis-check-rdb", "bash", "awk"} {
		if _, err := exec.LookPath(program); err != nil {
			require.False(t, redistest.MustRun(), "REDIS=all, but there is no %s", program)
			t.Skip("no " + program)
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "moving.md"))
	require.NoError(t, err)
	servers, err := redistest.Start(t.TempDir(), 1, "--save", "")
	require.NoError(t, err)
	t.Cleanup(servers.Close)
	tmp := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(tmp, "bin"), 0o700))
	self, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(tmp, "bin", "zrank"), []byte("#!/bin/sh\nexec env "+asCommand+"=1 '"+self+"' \"$@\"\n"), 0o700))
	var script strings.Builder
	const mark = "=== the next command"
	steps := stepsOf(string(page))
	require.Greater(t, len(steps), 15)
	for _, s := range steps {
		script.WriteString(strings.ReplaceAll(s.command, "6379", strconv.Itoa(servers.Ports[0])) + "echo '" + mark + "'\n")
	}
	c := exec.Command("bash", "-c", script.String())
	c.Dir, c.Env = tmp, append(os.Environ(), "PATH="+filepath.Join(tmp, "bin")+":"+os.Getenv("PATH"), "TZ=UTC")
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	require.NoError(t, err, errs.String())
	parts := strings.Split(string(out), mark+"\n")
	require.Len(t, parts, len(steps)+1, "%s\n%s", out, errs.String())
	for i, s := range steps {
		got := shape(parts[i])
		for line := range strings.Lines(s.output) {
			require.Contains(t, got, shape(line), "%s\n%s", s.command, errs.String())
		}
		require.Equal(t, s.output == "", got == "", "%s prints %s", s.command, parts[i])
	}
	require.Empty(t, errs.String())
}

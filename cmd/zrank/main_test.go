package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// asCommand makes the test binary run as the command itself, for tests that need a real process.
const asCommand = "ZRANK_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process returns the command as a child process, not started.
func process(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	return c
}

// result is the exit code and the output of one command line.
type result struct {
	code      int
	out, errs string
}

// zrank runs a command line in this process.
func zrank(in io.Reader, args ...string) result {
	var out, errs bytes.Buffer
	code := run(context.Background(), args, in, &out, &errs)
	return result{code, out.String(), errs.String()}
}

// must runs a command line that has to succeed and returns its output.
func must(t *testing.T, args ...string) string {
	t.Helper()
	r := zrank(strings.NewReader(""), args...)
	require.Zero(t, r.code, "%v: %s", args, r.errs)
	return r.out
}

// fails runs a command line that must fail with an exit code and one line that contains why.
func fails(t *testing.T, code int, why string, args ...string) {
	t.Helper()
	r := zrank(strings.NewReader(""), args...)
	require.Equal(t, code, r.code, "%v: %s", args, r.errs)
	require.Empty(t, r.out)
	require.Contains(t, r.errs, why)
	require.True(t, strings.HasPrefix(r.errs, "zrank: "), r.errs)
	require.Equal(t, 1, strings.Count(r.errs, "\n"), r.errs)
}

// write puts text into a file and returns its path.
func write(t *testing.T, path, text string) string {
	t.Helper()
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// sharedData returns the path of a file of real data, or skips the test where there is none.
func sharedData(t *testing.T, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "shared", "data", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("skipped: shared/data/%s is in no folder above this one", name)
	return ""
}

// unzip returns the text of a gzip file.
func unzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	return string(text)
}

// gzipped returns text as a gzip file has it.
func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

package events

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func stream(t testing.TB, text string) *Input {
	t.Helper()
	in, err := OpenStream(t.Context(), strings.NewReader(text), Options{})
	require.NoError(t, err)
	return in
}

func file(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func open(t testing.TB, path string) *Input {
	t.Helper()
	in, err := Open(t.Context(), path, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, in.Close()) })
	return in
}

func zip(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

// outcome is the result of one call of Next: an event, or the message of a bad row.
type outcome struct {
	event Event
	bad   string
}

// next calls Next once, and Skip for a bad row.
func next(in *Input) (outcome, error) {
	e, err := in.Next()
	var bad *BadRowError
	if errors.As(err, &bad) {
		in.Skip()
		return outcome{bad: bad.Error()}, nil
	}
	return outcome{event: e}, err
}

// drain reads to the end. The error is the one that ended the input, nil for io.EOF.
func drain(in *Input) (all []outcome, err error) {
	for {
		o, err := next(in)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, o)
	}
}

// sharedData returns the path of a real data file, or skips the test.
func sharedData(t testing.TB, name string) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		path := filepath.Join(dir, "shared", "data", filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if dir == filepath.Dir(dir) {
			t.Skipf("no shared/data/%s in any directory above this package: real data not tested", name)
		}
		dir = filepath.Dir(dir)
	}
}

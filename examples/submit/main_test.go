package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func Example() {
	dir, err := os.MkdirTemp("", "submit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	main()
	// Output:
	// ada: 15 points, number 1 of all time, number 1 this week, passed 0
	// bea: 20 points, number 1 of all time, number 1 this week, passed 1
	// ada: 25 points, number 1 of all time, number 1 this week, passed 1
}

// shownIn has the document that shows each program, from func main on.
var shownIn = map[string]string{"submit": "README.md", "library": "docs/library.md"}

// TestShownPrograms: the programs in documents are the same as those here.
func TestShownPrograms(t *testing.T) {
	for name, document := range shownIn {
		text, err := os.ReadFile("../../" + document)
		require.NoError(t, err)
		program, err := os.ReadFile("../" + name + "/main.go")
		require.NoError(t, err)
		_, body, found := strings.Cut(string(program), "func main() {")
		require.True(t, found)
		require.Contains(t, string(text), "func main() {"+body, name)
	}
}

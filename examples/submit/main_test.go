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

// shown are the programs that the README shows from func main on.
var shown = []string{"submit", "library"}

// TestREADME keeps the README's programs the ones that run here.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, name := range shown {
		program, err := os.ReadFile("../" + name + "/main.go")
		require.NoError(t, err)
		_, body, found := strings.Cut(string(program), "func main() {")
		require.True(t, found)
		require.Contains(t, string(readme), "func main() {"+body, name)
	}
}

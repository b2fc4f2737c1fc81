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
	// ada: 15 points, number 1, passed 0
	// bea: 20 points, number 1, passed 1
	// ada: 25 points, number 1, passed 1
}

// TestREADME keeps the README's program the one that runs here.
func TestREADME(t *testing.T) {
	program, err := os.ReadFile("main.go")
	require.NoError(t, err)
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, body, found := strings.Cut(string(program), "func main() {")
	require.True(t, found)
	require.Contains(t, string(readme), "func main() {"+body)
}

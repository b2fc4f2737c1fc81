package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// confirmed asks a question on standard error, and reports whether the answer on standard input is yes.
func confirmed(c *cobra.Command, question string) bool {
	fmt.Fprint(c.ErrOrStderr(), question+" [y/N] ")
	answer := strings.ToLower(strings.TrimSpace(readLine(c.Context(), c.InOrStdin())))
	return answer == "y" || answer == "yes"
}

// readLine returns the next line of in, or "" if in or ctx ends first. It abandons a read that is under way then.
func readLine(ctx context.Context, in io.Reader) string {
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(in).ReadString('\n')
		line <- text
	}()
	select {
	case text := <-line:
		return text
	case <-ctx.Done():
		return ""
	}
}

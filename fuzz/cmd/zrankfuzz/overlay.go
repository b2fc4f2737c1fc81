package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/internal/seeded/patches"
)

func newOverlay() *cobra.Command {
	return command("overlay DIR", "Put known bugs into a copy of zrank, for go test -overlay",
		`Apply the patches in `+patches.Folder+` to copies below DIR of the files that they change, and print the name of a file that
go build and go test accept as -overlay. What is built with it has all known bugs, of which seeded.Set switches one on.`,
		`  go test -overlay "$(go run ./fuzz/cmd/zrankfuzz overlay /tmp/bugs)" -tags seeded -run TestSeededBugs ./persist ./engine ./board/local`,
		cobra.ExactArgs(1), func(c *cobra.Command, args []string) error {
			root, all, err := readBugs(c.Context())
			if err != nil {
				return err
			}
			dir, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			overlay, err := patches.Overlay(root, dir, all)
			if err == nil {
				_, err = fmt.Fprintln(c.OutOrStdout(), overlay)
			}
			return err
		})
}

// readBugs returns the bugs of the module that the working directory is in, and the module's root.
func readBugs(ctx context.Context) (root string, list []patches.Bug, err error) {
	mod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", nil, fmt.Errorf("go env GOMOD: %w", err)
	}
	name := strings.TrimSpace(string(mod))
	if name == "" || name == os.DevNull {
		return "", nil, errors.New("the working directory is not in zrank's repository")
	}
	root = filepath.Dir(name)
	list, err = patches.Read(root)
	return root, list, err
}

// buildWithBugs builds this program with bugs in it. remove deletes it.
func buildWithBugs(ctx context.Context, root string, list []patches.Bug) (program string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "zrankfuzz")
	remove = func() { _ = os.RemoveAll(dir) }
	if err != nil {
		return "", remove, err
	}
	overlay, err := patches.Overlay(root, filepath.Join(dir, "copy"), list)
	if err != nil {
		return "", remove, err
	}
	program = filepath.Join(dir, "zrankfuzz.exe") // systems other than Windows do not mind
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", program, "./fuzz/cmd/zrankfuzz")
	cmd.Dir = root
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", remove, fmt.Errorf("building with bugs: %w: %s", err, text)
	}
	return program, remove, nil
}

package target

import (
	"cmp"
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// Environment variables in place of flags.
const (
	AddrEnv = "ZRANK_ADDR"
	KeyEnv  = "ZRANK_KEY"
)

// Target is where the boards of a command are.
type Target struct {
	dir, addr, key, keyFile string

	c   *cobra.Command
	ctx context.Context // nil: that of the command
}

// Flags adds --dir, --addr, --key and --key-file.
func (t *Target) Flags(c *cobra.Command) {
	t.c = c
	flags.Dir(c, &t.dir)
	f := c.Flags()
	f.StringVar(&t.addr, "addr", "", "URL of a server that has the directory open (zrank serve --api), in place of --dir; or "+AddrEnv)
	f.StringVar(&t.key, "key", "", "key of --addr; other users of this machine can see it: better --key-file, or "+KeyEnv)
	f.StringVar(&t.keyFile, "key-file", "", "file with the key of --addr")
}

// Of returns the target that the flags of a command name. It is for completion, where the command does not run.
func Of(c *cobra.Command) *Target {
	text := func(name string) string {
		if f := c.Flags().Lookup(name); f != nil {
			return f.Value.String()
		}
		return ""
	}
	return &Target{dir: text("dir"), addr: text("addr"), key: text("key"), keyFile: text("key-file"), c: c}
}

// server returns the URL of the server, "" if it is a directory. Errors: an Error of package flags, if the flags or the environment name both.
func (t *Target) server() (string, error) {
	fs := t.c.Flags()
	dir, addr := fs.Changed("dir"), fs.Changed("addr") && t.addr != ""
	env := os.Getenv(AddrEnv)
	switch {
	case dir && addr:
		return "", flags.Errorf("--dir and --addr are both given: want one of them")
	case addr:
		return t.addr, nil
	case !dir && env != "" && os.Getenv(flags.DirEnv) != "":
		return "", flags.Errorf("%s and %s are both set: say --dir or --addr", flags.DirEnv, AddrEnv)
	case !dir && env != "":
		return env, nil
	case fs.Changed("key") || fs.Changed("key-file"):
		return "", flags.Errorf("--key and --key-file are for --addr")
	}
	return "", nil
}

// secret returns the key of the server, "" for none. Errors: those of the file.
func (t *Target) secret() (string, error) {
	if t.key != "" && t.keyFile != "" {
		return "", flags.Errorf("--key and --key-file are both given: want one of them")
	}
	if t.keyFile == "" {
		return cmp.Or(t.key, os.Getenv(KeyEnv)), nil
	}
	text, err := os.ReadFile(t.keyFile)
	return strings.TrimSpace(strings.TrimPrefix(string(text), "\ufeff")), err
}

package main

import (
	"os"
	"os/exec"
	"slices"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/fuzz/internal/campaigns"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/processes"
)

// diskDir is a directory for engines that are killed. They run in processes of this program.
type diskDir struct {
	dir     string
	program string
}

func newDiskDir() (*diskDir, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "zrankfuzz")
	return &diskDir{dir, program}, err
}

// configs returns all configurations.
func (d *diskDir) configs() []machine.Config {
	return slices.Concat(campaigns.All(), processes.Configs(d.dir, func(args ...string) *exec.Cmd {
		return exec.Command(d.program, slices.Concat([]string{childCommand}, args)...)
	}))
}

func (d *diskDir) remove() { _ = os.RemoveAll(d.dir) }

const childCommand = "serve-process"

// newChild returns the hidden command that these processes run.
func newChild() *cobra.Command {
	c := command(childCommand+" ARGUMENT...", "Be an engine that is asked questions", "", "", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return processes.Serve(c.InOrStdin(), c.OutOrStdout(), args...)
	})
	c.Hidden = true
	return c
}

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Long: `Print the version of the module, the revision of the source if the build knows it, and the Go release that built the command.
"zrank --version" prints the same.`,
		Example: `  zrank version`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := fmt.Fprint(c.OutOrStdout(), version())
			return err
		},
	}
}

// version describes this build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	return versionText(info)
}

// versionText describes a build: up to three lines. The revision is known to builds in a checkout of the source.
func versionText(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	module := info.Main.Version
	if module == "" {
		module = "(devel)"
	}
	text := "zrank " + module + "\n"
	if revision := settings["vcs.revision"]; revision != "" {
		parts := []string{"revision " + revision}
		if at := settings["vcs.time"]; at != "" {
			parts = append(parts, at)
		}
		if settings["vcs.modified"] == "true" {
			parts = append(parts, "modified")
		}
		text += strings.Join(parts, ", ") + "\n"
	}
	return text + strings.Join([]string{info.GoVersion, runtime.GOOS + "/" + runtime.GOARCH}, " ") + "\n"
}

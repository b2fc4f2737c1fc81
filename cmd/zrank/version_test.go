package main

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVersion: the flag and the command say the same, which has the release of Go.
func TestVersion(t *testing.T) {
	out := must(t, "version")
	require.Equal(t, out, must(t, "--version"))
	require.Regexp(t, `^zrank \S+\n`, out)
	require.Contains(t, out, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH+"\n")
	system := "go1.26 " + runtime.GOOS + "/" + runtime.GOARCH + "\n"
	for want, info := range map[string]debug.BuildInfo{
		"zrank (devel)\n": {},
		"zrank v1.2.3\n":  {Main: debug.Module{Version: "v1.2.3"}},
		"zrank (devel)\nrevision abc, 2026-11-20T10:00:00Z, modified\n": {Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-20T10:00:00Z"}, {Key: "vcs.modified", Value: "true"}}},
		"zrank (devel)\nrevision abc\n": {Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}},
	} {
		info.GoVersion = "go1.26"
		require.Equal(t, want+system, versionText(&info))
	}
}

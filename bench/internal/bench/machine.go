package bench

import (
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/procfs"
)

// Machine describes the machine and the versions of a result. Unknown fields are empty.
type Machine struct {
	Go       string            `json:"go"`
	OS       string            `json:"os"`
	Arch     string            `json:"arch"`
	CPU      string            `json:"cpu"`
	Cores    int               `json:"cores"`
	Load     string            `json:"load"`          // load averages before the first run
	Commit   string            `json:"commit"`        // of the working directory, "-dirty" if changed
	Versions map[string]string `json:"versions"`      // of the peers' modules
	Date     time.Time         `json:"date,omitzero"` // when the first run began
}

// ThisMachine describes the machine of this process.
func ThisMachine() Machine {
	m := Machine{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(),
		Versions: map[string]string{}, Date: time.Now().UTC().Truncate(time.Second),
	}
	if proc, err := procfs.NewDefaultFS(); err == nil {
		if load, err := proc.LoadAvg(); err == nil {
			m.Load = fmt.Sprintf("%.2f %.2f %.2f", load.Load1, load.Load5, load.Load15)
		}
		if cpus, err := proc.CPUInfo(); err == nil && len(cpus) > 0 {
			m.CPU = cpus[0].ModelName
		}
	}
	if out, err := exec.Command("git", "describe", "--always", "--dirty", "--abbrev=12").Output(); err == nil {
		m.Commit = strings.TrimSpace(string(out))
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			m.Versions[d.Path] = d.Version
		}
	}
	return m
}

// Line returns the description in one line.
func (m Machine) Line() string {
	known := func(name, value string) string {
		if value == "" {
			return ""
		}
		return ", " + name + " " + value
	}
	measured := ""
	if !m.Date.IsZero() {
		measured = m.Date.Format(time.DateTime) + " UTC"
	}
	return fmt.Sprintf("%s %s/%s, %d cores%s%s%s%s", m.Go, m.OS, m.Arch, m.Cores, known("CPU", m.CPU), known("commit", m.Commit),
		known("load before", m.Load), known("measured", measured))
}

package bench

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Machine is where and with what a result was measured. What is not known is empty.
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

// ThisMachine returns this one.
func ThisMachine() Machine {
	m := Machine{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuName(), Cores: runtime.NumCPU(),
		Versions: map[string]string{}, Date: time.Now().UTC().Truncate(time.Second),
	}
	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		if f := strings.Fields(string(load)); len(f) >= 3 {
			m.Load = strings.Join(f[:3], " ")
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

// Line returns it in one line.
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

func cpuName() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

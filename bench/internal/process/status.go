package process

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Self is this process; others are named by their number.
const Self = "self"

// Resident returns how many bytes of memory a process has, and the most that it ever had; false where the system does not tell.
func Resident(pid string) (now, peak float64, ok bool) {
	now, ok = status(pid, "VmRSS:")
	peak, also := status(pid, "VmHWM:")
	return now, peak, ok && also
}

func status(pid, name string) (float64, bool) {
	file, err := os.Open("/proc/" + pid + "/status")
	if err != nil {
		return 0, false
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		field := strings.Fields(lines.Text()) // such as VmRSS: 1234 kB
		if len(field) < 2 || field[0] != name {
			continue
		}
		kib, err := strconv.Atoi(field[1])
		return float64(kib) * 1024, err == nil
	}
	return 0, false
}

// tick is what the kernel counts CPU time in.
const tick = time.Second / 100

// CPU returns how long all threads of a process have run, in whole ticks of 10 ms.
func CPU(pid string) (time.Duration, error) {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name may have spaces
	field := strings.Fields(after)
	const user, system = 11, 12 // of the fields after the name
	if len(field) <= system {
		return 0, fmt.Errorf("/proc/%s/stat: %q", pid, text)
	}
	var total time.Duration
	for _, f := range []string{field[user], field[system]} {
		n, err := strconv.Atoi(f)
		if err != nil {
			return 0, fmt.Errorf("/proc/%s/stat: %w", pid, err)
		}
		total += time.Duration(n) * tick
	}
	return total, nil
}

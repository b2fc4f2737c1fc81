package recovery

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

// memory notes the memory that the process has resident, where the system tells it.
func memory(f figure.Figures, m figure.Metric) { status(f, m, "VmRSS:") }

// peak notes the most it ever had.
func peak(f figure.Figures) { status(f, figure.MemoryPeak, "VmHWM:") }

func status(f figure.Figures, m figure.Metric, name string) {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		field := strings.Fields(lines.Text()) // such as VmRSS: 1234 kB
		if len(field) < 2 || field[0] != name {
			continue
		}
		if kib, err := strconv.Atoi(field[1]); err == nil {
			f[m] = float64(kib) * 1024
		}
		return
	}
}

package recovery

import (
	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/process"
)

// memory notes the memory that the process has resident, where the system tells it.
func memory(f figure.Figures, m figure.Metric) {
	if now, _, ok := process.Resident(process.Self); ok {
		f[m] = now
	}
}

// peak notes the most it ever had.
func peak(f figure.Figures) {
	if _, most, ok := process.Resident(process.Self); ok {
		f[figure.MemoryPeak] = most
	}
}

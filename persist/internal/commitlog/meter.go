package commitlog

// Meter counts the bytes of the log. It also marks a group every 64 KiB, so that a truncation knows about how many bytes it deletes
// without reading them.
type Meter struct {
	total int64  // bytes of all groups ever written through this meter
	gone  int64  // of those, truncated
	last  uint64 // the first commit of the last group
	marks []mark
}

type mark struct {
	first  uint64 // the first commit of a group
	before int64  // total before that group was written
}

const markEvery = 64 << 10

// Add counts a group of n bytes. O(1), amortised.
func (m *Meter) Add(first uint64, n int) {
	if k := len(m.marks); k == 0 || m.total-m.marks[k-1].before >= markEvery {
		m.marks = append(m.marks, mark{first, m.total})
	}
	m.total += int64(n)
	m.last = first
}

// Cut forgets the groups before start.
func (m *Meter) Cut(start uint64) {
	if start > m.last {
		m.gone, m.marks = m.total, nil
		return
	}
	keep := 0
	for keep+1 < len(m.marks) && m.marks[keep+1].first <= start {
		keep++
	}
	m.marks = m.marks[keep:]
	m.gone = max(m.gone, m.marks[0].before)
}

// Size returns the bytes of the groups that are kept. O(1).
func (m *Meter) Size() int64 { return m.total - m.gone }

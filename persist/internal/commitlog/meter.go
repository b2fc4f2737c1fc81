package commitlog

// Meter knows the size of the log, and roughly where in it a group stands, so that a truncation need not read what it
// deletes. Marks are 64 KiB apart.
type Meter struct {
	total int64 // bytes of all groups ever written through this meter
	gone  int64 // of those, truncated
	last  uint64
	marks []mark
}

type mark struct {
	first  uint64 // a group
	before int64  // total when it was written
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

package commitlog

// Meter counts the bytes of the log after the last snapshot. It also marks a group every 64 KiB, so that a snapshot knows about how many bytes
// it covers, and where the log is to be cut, without reading the log.
type Meter struct {
	total int64  // bytes of all groups ever written through this meter
	gone  int64  // of those, covered by a snapshot
	last  uint64 // the first commit of the last group
	marks []mark // from the first group that is kept on
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

// Cut counts the groups before the one that begins with commit uncovered as covered, and forgets those before start, which is not after it.
func (m *Meter) Cut(start, uncovered uint64) {
	switch k := m.markOf(uncovered); {
	case uncovered > m.last:
		m.gone = m.total
	case k >= 0:
		m.gone = max(m.gone, m.marks[k].before)
	}
	if start > m.last {
		m.marks = nil
		return
	}
	m.marks = m.marks[max(m.markOf(start), 0):]
}

// markOf returns the index of the last mark of a group that begins at or before a commit; -1: there is none.
func (m *Meter) markOf(seq uint64) int {
	k := -1
	for k+1 < len(m.marks) && m.marks[k+1].first <= seq {
		k++
	}
	return k
}

// Size returns the bytes of the groups that no snapshot covers. O(1).
func (m *Meter) Size() int64 { return m.total - m.gone }

// Keep returns the first commit of a group, such that this group and those after it have at least n bytes, and at most 64 KiB and a group more; 0:
// all groups together have less.
func (m *Meter) Keep(n int64) uint64 {
	for k := len(m.marks) - 1; k >= 0; k-- {
		if m.total-m.marks[k].before >= n {
			return m.marks[k].first
		}
	}
	return 0
}

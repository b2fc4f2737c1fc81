package report

import (
	"fmt"

	"github.com/zrankdb/zrank/bench/internal/measure"
)

// Section returns what a page shows of the comparison.
func (r *Report) Section() (Section, error) {
	sec := Section{About: r.About(), Title: titles[Compare],
		Notes: "CPU time of the calling thread; figures are the median of the repetitions ±half their range. * counted, O(n): the peer has no ranks. " +
			"The bare map has no order. Slowest insert or update: the best repetition counts, since a stall of the peer's comes back in every one."}
	for _, size := range r.Sizes {
		s := Summarize(size.Runs)
		sec.Tables = append(sec.Tables, r.table(size, s))
		sec.Losses = append(sec.Losses, r.losses(size, s)...)
	}
	var err error
	sec.Charts, err = r.charts()
	return sec, err
}

// table is the figures of one size, the best of each row marked.
func (r *Report) table(size Size, s Summary) Table {
	t := Table{Title: fmt.Sprintf("n = %s members of %d bytes", count(size.N), r.MemberBytes), Head: []string{""}, Right: 1,
		Best: map[[2]int]bool{}, Lost: map[int]bool{}}
	for _, p := range r.Peers {
		t.Head = append(t.Head, title(p))
	}
	for _, d := range measure.Descriptions {
		row := []string{d.Title + ", " + string(d.Unit)}
		least, at := best(s, r.Peers, d.Metric)
		for i, p := range r.Peers {
			row = append(row, cell(s, p, d))
			if st, ok := s.Stat(p, d.Metric); ok && st.Value == least && compared(d) && d.Unit != measure.Objects {
				t.Best[[2]int{len(t.Rows), i + 1}] = true
			}
		}
		own, ok := s.Stat(ours, d.Metric)
		t.Lost[len(t.Rows)] = ok && at != "" && loses(own.Value, least, d)
		t.Rows, t.Of = append(t.Rows, row), append(t.Of, row[0])
	}
	return t
}

// compared reports whether the least figure of a row wins it: not of the collector before the build.
func compared(d measure.Description) bool { return d.Metric != measure.GCEmpty }

// someObjects is how many more an operation has to make to lose: fewer come and go with the length of the loop.
const someObjects = 0.01

// loses reports whether ours is the worse.
func loses(own, least float64, d measure.Description) bool {
	if d.Unit == measure.Objects {
		return own > least+someObjects
	}
	return compared(d) && own > least
}

// best returns the least figure and whose it is; an empty name if nobody has one.
func best(s Summary, names []string, m measure.Metric) (least float64, name string) {
	for _, p := range names {
		if st, ok := s.Stat(p, m); ok && (name == "" || st.Value < least) {
			least, name = st.Value, p
		}
	}
	return least, name
}

// losses lists the rows whose best is a peer's.
func (r *Report) losses(size Size, s Summary) (list []Loss) {
	for _, d := range measure.Descriptions {
		own, ok := s.Stat(ours, d.Metric)
		least, name := best(s, r.Peers, d.Metric)
		if !ok || !loses(own.Value, least, d) {
			continue
		}
		list = append(list, Loss{What: d.Title, Where: "n = " + count(size.N), Ours: prose(own.Value, d.Unit), Theirs: prose(least, d.Unit),
			Peer: title(name), Times: times(own.Value, counted(least, d.Unit)), times: own.Value / least})
	}
	return list
}

// times is how many times as good a peer's figure is; of nothing there is no number.
func times(own, theirs float64) string {
	if theirs <= 0 {
		return "none at all"
	}
	return ratio(own / theirs)
}

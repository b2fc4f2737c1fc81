package fuzz

import "testing"

func TestB(t *testing.T) {
	var total Counts
	for i := range uint64(*scriptsFlag) {
		for _, c := range Boards() {
			s := c.Generate(*seedFlag+i, *linesFlag)
			check(t, []Config{c}, s)
			r, _ := Run(c, s)
			total.Add(r.Counts)
		}
	}
	t.Logf("%+v", total)
}

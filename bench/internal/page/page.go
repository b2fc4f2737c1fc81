package page

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/bench/internal/report"
)

// Page is several documents, one section each.
type Page struct {
	Sections []report.Section
	Checks   []report.Check // every target once: as it was found with the number of members that it is stated for, or the nearest to it
	Losses   []Loss

	docs []report.Document
}

// Loss is a row that we lose, and the section it is of.
type Loss struct {
	report.Loss
	Part string
}

// New makes a page of documents, in their order. It fails without any, or if a plot cannot be drawn.
func New(docs []report.Document) (*Page, error) {
	if len(docs) == 0 {
		return nil, errors.New("nothing to report: no file of figures")
	}
	p := &Page{docs: docs}
	have := map[string]bool{}
	for _, d := range docs {
		s, err := d.Section()
		if err != nil {
			return nil, err
		}
		have[s.Kind] = true
		p.Sections = append(p.Sections, s)
		for _, c := range s.Checks {
			p.check(c)
		}
		for _, l := range s.Losses {
			p.Losses = append(p.Losses, Loss{l, s.Title})
		}
	}
	for _, c := range report.Unmeasured(have) {
		p.check(c)
	}
	slices.SortStableFunc(p.Losses, func(a, b Loss) int { return b.Farther(a.Loss) })
	return p, nil
}

// check adds a target, or takes the better finding of one that is there.
func (p *Page) check(c report.Check) {
	i := slices.IndexFunc(p.Checks, c.Same)
	switch {
	case i < 0:
		p.Checks = append(p.Checks, c)
	case c.Tells(p.Checks[i]):
		p.Checks[i] = c
	}
}

// count returns how many targets have the verdict.
func (p *Page) count(v report.Verdict) (n int) {
	for _, c := range p.Checks {
		if c.Verdict == v {
			n++
		}
	}
	return n
}

// Summary says how the targets stand.
func (p *Page) Summary() string {
	elsewhere := 0
	for _, c := range p.Checks {
		if c.Elsewhere && c.Verdict != report.NotMeasured {
			elsewhere++
		}
	}
	return fmt.Sprintf("%d targets met, %d missed, %d of both with another number of members than they are stated for; %d not measured; %d rows lost to a peer",
		p.count(report.Met), p.count(report.Missed), elsewhere, p.count(report.NotMeasured), len(p.Losses))
}

// Machines lists where the sections were measured, each once.
func (p *Page) Machines() (list []string) {
	for _, s := range p.Sections {
		m := s.Machine
		line := fmt.Sprintf("%s %s/%s, %d cores", m.Go, m.OS, m.Arch, m.Cores)
		if m.CPU != "" {
			line += ", " + m.CPU
		}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// Commits lists the commits that were measured, and when as far as the files say.
func (p *Page) Commits() (list []string) {
	for _, s := range p.Sections {
		line := s.Machine.Commit
		if line == "" {
			line = "a commit that is not known"
		}
		if !s.Machine.Date.IsZero() {
			line += " on " + s.Machine.Date.Format(time.DateOnly)
		}
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// Commands lists how to measure it all again, a line each.
func (p *Page) Commands() string {
	var list []string
	for _, s := range p.Sections {
		list = append(list, s.Command)
	}
	return strings.Join(slices.Compact(list), "\n")
}

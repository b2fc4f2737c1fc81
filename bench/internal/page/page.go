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
	Rows     []report.Row // every target there is
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
	p := &Page{docs: docs, Rows: report.Rows(docs...)}
	for _, d := range docs {
		s, err := d.Section()
		if err != nil {
			return nil, err
		}
		p.Sections = append(p.Sections, s)
		for _, l := range s.Losses {
			p.Losses = append(p.Losses, Loss{l, s.Title})
		}
	}
	slices.SortStableFunc(p.Losses, func(a, b Loss) int { return b.Farther(a.Loss) })
	return p, nil
}

// Measured returns the targets that some document says something of.
func (p *Page) Measured() []report.Row {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(r report.Row) bool { return r.Verdict == report.NotMeasured })
}

// Unmeasured returns the others.
func (p *Page) Unmeasured() []report.Row {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(r report.Row) bool { return r.Verdict != report.NotMeasured })
}

// Summary says how the targets stand.
func (p *Page) Summary() string {
	var met, missed, other int
	for _, r := range p.Measured() {
		if r.Verdict == report.Met {
			met++
		} else {
			missed++
		}
		if r.Elsewhere() {
			other++
		}
	}
	return fmt.Sprintf("%d targets met, %d missed, %d of both with another number of members than they are stated for; %d not measured; %d rows lost to a peer",
		met, missed, other, len(p.Unmeasured()), len(p.Losses))
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

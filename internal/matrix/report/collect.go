package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// results collects figures and failures from the output of the test runs.
type results struct {
	rows     map[int][]string // the figures of a row, each with its package if there are several
	seeded   []string         // the lines that count the seeded bugs
	failures []string         // tests and packages that failed
	output   map[string][]string
}

func newResults() *results {
	return &results{rows: map[int][]string{}, output: map[string][]string{}}
}

// event is a line of go test -json.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	Elapsed float64
}

var (
	rowLine    = regexp.MustCompile(`matrix row (\d+): (.*)`)
	seededLine = regexp.MustCompile(`seeded bugs caught (\d+)/(\d+)`)
)

// collect reads the output of go test -json to its end and reports progress, one line for each test of a row and each
// package. A line that is not JSON, as from a build that fails, is passed on.
func (r *results) collect(in io.Reader, progress io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(progress, lines.Text())
			continue
		}
		r.add(e, progress)
	}
	return lines.Err()
}

// add handles one event: it collects output, and reports the end of a test with its output if it failed.
func (r *results) add(e event, progress io.Writer) {
	name := strings.TrimSuffix(path.Base(e.Package)+" "+e.Test, " ")
	switch e.Action {
	case "output":
		r.line(e)
	case "build-output":
		fmt.Fprint(progress, e.Output)
	case "pass", "fail", "skip":
		if !strings.Contains(e.Test, "/") {
			fmt.Fprintf(progress, "%-5s %s (%.1fs)\n", e.Action, name, e.Elapsed)
		}
		if e.Action == "fail" {
			r.failures = append(r.failures, name)
			fmt.Fprint(progress, strings.Join(r.output[e.Package+" "+e.Test], ""))
		}
		delete(r.output, e.Package+" "+e.Test)
	}
}

// line stores a line that a test has printed, in case the test fails, and extracts figures from it.
func (r *results) line(e event) {
	key := e.Package + " " + e.Test
	r.output[key] = append(r.output[key], e.Output)
	if m := rowLine.FindStringSubmatch(e.Output); m != nil {
		row, _ := strconv.Atoi(m[1])
		r.rows[row] = append(r.rows[row], path.Base(e.Package)+": "+strings.TrimSpace(m[2]))
	}
	if m := seededLine.FindStringSubmatch(e.Output); m != nil {
		r.seeded = append(r.seeded, path.Base(e.Package)+": "+m[1]+" of "+m[2])
		if m[1] != m[2] || m[2] == "0" {
			r.failures = append(r.failures, path.Base(e.Package)+" seeded bugs")
		}
	}
}

// missing returns the rows that have no figure, in order.
func (r *results) missing() []int {
	var list []int
	for row := range len(faults) * 2 {
		if faults[row] != "" && r.rows[row] == nil {
			list = append(list, row)
		}
	}
	return list
}

// table writes the rows in order, as Markdown.
func (r *results) table(out io.Writer) {
	fmt.Fprintln(out, "| row | fault | figure |")
	fmt.Fprintln(out, "|--:|---|---|")
	for row := range len(faults) * 2 {
		if faults[row] == "" {
			continue
		}
		figure := "not run"
		if list := r.rows[row]; len(list) > 0 {
			figure = strings.ReplaceAll(strings.Join(list, "<br>"), "|", `\|`)
		}
		fmt.Fprintf(out, "| %d | %s | %s |\n", row, faults[row], figure)
	}
}

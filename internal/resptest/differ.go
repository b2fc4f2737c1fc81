package resptest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	length       = 300 // steps of a script
	maxDiffering = 8   // scripts that may differ before a run ends
)

// Count is a number of replies, and how many of them were errors.
type Count struct{ Replies, Errors int }

// Report counts the scripts and replies that a run has compared.
type Report struct {
	Scripts int
	Total   Count
	Fed     int              // replies to clients that were blocked
	ByName  map[string]Count // by the command's name, upper case
}

// Differ runs the random scripts of seed, seed+1 and so on against both peers. It stops when it has compared the given number of replies, or
// when maxDiffering scripts were answered differently. It shrinks each of these and reports it as an error of the test, in the format of
// testdata/scripts. Consecutive seeds cover both protocols and both encodings.
func Differ(t testing.TB, reference, other *Peer, seed uint64, replies int) Report {
	t.Helper()
	d := &comparison{NewPlayer(reference), NewPlayer(other)}
	defer d.reference.Close()
	defer d.other.Close()
	r := Report{ByName: map[string]Count{}}
	differing := 0
	for ; r.Total.Replies < replies && differing < maxDiffering; seed++ {
		s := Generate(seed, length)
		step, a, b, err := d.play(s)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if step >= 0 {
			differing++
			d.report(t, fmt.Sprintf("seed %d", seed), s, step, a, b)
		}
		r.add(s, a)
	}
	return r
}

// Replay gives one script to both peers, and reports a difference as an error of the test. It returns the number of replies.
func Replay(t testing.TB, reference, other *Peer, name string, s Script) int {
	t.Helper()
	d := &comparison{NewPlayer(reference), NewPlayer(other)}
	defer d.reference.Close()
	defer d.other.Close()
	step, a, b, err := d.play(s)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if step >= 0 {
		d.report(t, name, s, step, a, b)
	}
	r := Report{ByName: map[string]Count{}}
	r.add(s, a)
	return r.Total.Replies
}

// report shrinks a script whose replies differ, reports it as an error with the replies that differ, and saves it in the test's artifacts.
func (d *comparison) report(t testing.TB, name string, s Script, step int, a, b Transcript) {
	t.Helper()
	small := d.shrink(s, lastOf(step, a, b))
	if at, x, y, err := d.play(small); err == nil && at >= 0 {
		s, step, a, b = small, at, x, y
	}
	text := fmt.Sprintf("# %s\n# reference: %.300s\n# other:     %.300s\n%s", name, replyText(a, step), replyText(b, step), s[:lastOf(step, a, b)+1])
	file := filepath.Join(t.ArtifactDir(), strings.ReplaceAll(name, " ", "-")+".txt")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Error(err)
	}
	t.Errorf("%s: step %d is answered differently:\n%s(saved in %s, which may go to server/resp/testdata/scripts)", name, step, clipped(text), file)
}

// clipped cuts long lines, which a script that could not be shrunk may have.
func clipped(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if len(line) > 2000 {
			lines[i] = line[:2000] + "…\n"
		}
	}
	return strings.Join(lines, "")
}

// replyText returns the reply to a step as a line, with the step after which it came.
func replyText(t Transcript, step int) string {
	switch {
	case t.Replies[step] == nil:
		return "nothing"
	case t.After[step] != step:
		return fmt.Sprintf("%s, after step %d", t.Replies[step], t.After[step])
	}
	return t.Replies[step].String()
}

// add counts the replies of a transcript.
func (r *Report) add(s Script, t Transcript) {
	r.Scripts++
	for i, step := range s {
		if t.Replies[i] == nil {
			continue
		}
		if t.After[i] != i {
			r.Fed++
		}
		name := strings.ToUpper(step.Words[0])
		c := r.ByName[name]
		c.Replies++
		r.Total.Replies++
		if t.Replies[i].IsError() {
			c.Errors++
			r.Total.Errors++
		}
		r.ByName[name] = c
	}
}

// String lists the counts by command, a few on a line.
func (r Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d scripts, %d replies, %d of them errors, %d to blocked clients", r.Scripts, r.Total.Replies, r.Total.Errors, r.Fed)
	for i, name := range slices.Sorted(maps.Keys(r.ByName)) {
		if i%6 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(&b, " %s %d (%d)", name, r.ByName[name].Replies, r.ByName[name].Errors)
	}
	return b.String()
}

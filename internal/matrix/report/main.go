// Command report runs the fault matrix and prints one table with the figure of each row.
//
//	go run ./internal/matrix/report            a few minutes
//	go run ./internal/matrix/report -long      as long as it takes to be sure
//	go run ./internal/matrix/report -race      with the race detector, which needs a C compiler
//
// It ends with status 1 if a test failed, a row has no figure, or a seeded bug was not noticed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/seeded/patches"
)

func main() {
	long := flag.Bool("long", false, "run every row at length")
	race := flag.Bool("race", false, "run with the race detector")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := report(ctx, *long, *race, os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// report runs the tests of the rows, and the tests of the seeded bugs. It prints the table to out and the progress to progress. ok is
// false if a test failed or a row is missing.
func report(ctx context.Context, long, race bool, out, progress io.Writer) (ok bool, err error) {
	start := time.Now()
	packages, err := rowPackages(ctx)
	if err != nil {
		return false, err
	}
	args := []string{"test", "-json", "-count=1", "-p=1", "-timeout=0", "-run", pattern()}
	if race {
		args = append(args, "-race")
	}
	args = append(args, packages...)
	if long {
		args = append(args, "-args", "-long")
	}
	r := newResults()
	overlay, remove, err := seededCopy()
	if err != nil {
		return false, err
	}
	defer remove()
	seeded := []string{"test", "-json", "-count=1", "-timeout=0", "-overlay", overlay, "-tags", "seeded", "-run", "^TestSeededBugs$", "./persist", "./engine", "./board/local"}
	for _, args := range [][]string{args, seeded} {
		fmt.Fprintln(progress, "go", strings.Join(args, " "))
		if err := r.run(ctx, race, args, progress); err != nil {
			return false, err
		}
	}
	r.table(out)
	fmt.Fprintf(out, "\nSeeded bugs caught: %s.\n", strings.Join(r.seeded, ", "))
	fmt.Fprintf(out, "%s %s/%s, %d cores, %.0f s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), time.Since(start).Seconds())
	fmt.Fprintf(out, "; -long=%v -race=%v.\n", long, race)
	if missing := r.missing(); len(missing) > 0 {
		fmt.Fprintln(out, "Rows not run:", missing)
	}
	if len(r.failures) > 0 {
		fmt.Fprintln(out, "FAILED:", strings.Join(r.failures, ", "))
	}
	return len(r.failures) == 0 && len(r.missing()) == 0, nil
}

// seededCopy puts the seeded bugs into a copy of the code, for go test -overlay. remove deletes it.
func seededCopy() (overlay string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "zrank-report")
	if err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	bugs, err := patches.Read(".")
	if err == nil {
		overlay, err = patches.Overlay(".", dir, bugs)
	}
	if err != nil {
		remove()
	}
	return overlay, remove, err
}

// pattern matches the names of the tests that print the figure of a row.
func pattern() string {
	names := []string{"TestRow.*"}
	for _, row := range slices.Sorted(maps.Keys(tests)) {
		names = append(names, tests[row]...)
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// rowPackages returns the packages that have tests of rows: those whose tests import internal/matrix. The others do not
// know its flag.
func rowPackages(ctx context.Context) ([]string, error) {
	const format = `{{.ImportPath}} {{join .TestImports " "}} {{join .XTestImports " "}}`
	c := exec.CommandContext(ctx, "go", "list", "-f", format, "./persist/...", "./engine/...", "./server/...", "./cmd/...")
	c.Stderr = os.Stderr
	text, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []string
	for line := range strings.Lines(string(text)) {
		if name, imports, _ := strings.Cut(line, " "); strings.Contains(imports, "zrank/internal/matrix") {
			packages = append(packages, name)
		}
	}
	if packages == nil {
		return nil, errors.New("no package has tests of rows; run this at the top of the module")
	}
	return packages, nil
}

// run runs the go command and collects the output of its tests. Failing tests are part of the results, not an error.
func (r *results) run(ctx context.Context, race bool, args []string, progress io.Writer) error {
	c := exec.CommandContext(ctx, "go", args...)
	c.Stderr = progress
	if race {
		c.Env = append(os.Environ(), "CGO_ENABLED=1")
	}
	pipe, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	failed := len(r.failures)
	err = errors.Join(r.collect(pipe, progress), c.Wait())
	var exit *exec.ExitError
	if ctx.Err() == nil && errors.As(err, &exit) {
		if len(r.failures) == failed {
			r.failures = append(r.failures, "go "+args[0]+": "+exit.String())
		}
		return nil
	}
	return err
}

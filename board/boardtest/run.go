package boardtest

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/zrankdb/zrank/board"
)

// Run plays every file *.txt of a file system in a subtest on a new backend. It returns the number of scenarios that passed, and what was
// compared. between is a command that runs after every command of the files, "reopen" for instance, or "" for none.
func Run(t *testing.T, files fs.FS, between string, open Open) (scenarios int, sum Counts) {
	t.Helper()
	names, err := fs.Glob(files, "*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("boardtest: no files: %v", err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			s, err := Parse(name, string(text))
			if err == nil && between != "" {
				s, err = s.Between(between)
			}
			if err != nil {
				t.Fatal(err)
			}
			n, err := s.Play(open)
			sum.add(n)
			switch {
			case errors.Is(err, board.ErrUnsupported):
				t.Skip(err)
			case err != nil:
				t.Fatal(err)
			}
			scenarios++
		})
	}
	return scenarios, sum
}

func (c *Counts) add(n Counts) {
	c.Lines += n.Lines
	c.Answers += n.Answers
	c.Views += n.Views
	c.Refusals += n.Refusals
}

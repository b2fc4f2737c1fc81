package replay

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/cmd/zrank/internal/events"
	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
	"github.com/zrankdb/zrank/cmd/zrank/internal/specs"
)

// readingFlags has the flags about reading rows.
type readingFlags struct {
	unit, maxAhead string
	ignore, rename []string

	options events.Options // set by parse; the columns come from the specs
}

func (f *readingFlags) add(c *cobra.Command) {
	fs := c.Flags()
	fs.StringVar(&f.unit, "time-unit", "auto", "what times are in: rfc3339, s, ms, us or ns since 1970, or auto: the first row decides")
	fs.StringVar(&f.maxAhead, "max-ahead", window.Duration(events.DefaultMaxAhead).String(), "a row is bad that is later by more than this than the rows before it, when the rows after it go back; forever: no row is")
	fs.StringSliceVar(&f.ignore, "ignore-columns", nil, "columns not to read, by their names in the file; *: all that have no meaning")
	fs.StringSliceVar(&f.rename, "rename", nil, "old=new: read the file's column old as the column new")
}

// parse parses the flags.
func (f *readingFlags) parse() (err error) {
	f.options = events.Options{Ignore: f.ignore, Rename: map[string]string{}}
	if f.options.Unit, err = events.ParseUnit(f.unit); err != nil {
		return flags.Errorf("--time-unit is %q, want auto, rfc3339, s, ms, us or ns", f.unit)
	}
	var ahead window.Duration
	if err := ahead.UnmarshalText([]byte(f.maxAhead)); err != nil || ahead < window.Duration(time.Second) {
		return flags.Errorf("--max-ahead is %q, want a duration of a second or more, as 36h, or forever", f.maxAhead)
	}
	f.options.MaxAhead = time.Duration(ahead)
	for _, text := range f.rename {
		old, name, ok := strings.Cut(text, "=")
		if _, twice := f.options.Rename[old]; !ok || old == "" || name == "" || twice {
			return flags.Errorf("--rename is %q, want old=new, and each column once", text)
		}
		f.options.Rename[old] = name
	}
	if err := f.options.Validate(); err != nil {
		return flags.Errorf("--rename and --ignore-columns: %w", err)
	}
	return nil
}

// of returns the options for inputs that feed the boards of these specs.
func (f *readingFlags) of(s specs.Specs) events.Options {
	o := f.options
	if s.Named {
		o.Columns = s.Columns
	}
	o.Absent = s.Absent
	return o
}

package events

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind is the meaning of the numbers of an input.
type Kind uint8

const (
	// Score is a new score.
	Score Kind = iota
	// Delta is an amount to add to the member's score.
	Delta
)

// columns has the index of each column in a row; board and op are -1 if the file has none.
type columns struct {
	time, board, member int
	op                  int
	values              []int    // in the order of Options.Columns
	names               []string // of the values
	absent              []bool   // whether a row may leave the value out
	sources             []string // see Input.Columns
	count               int
	kind                Kind
}

// header is a header while it is read.
type header struct {
	options Options
	at      map[string]int // index of a column by its name
	file    []string       // the names as the file has them
}

// known lists the columns that the file may have.
func (h header) known() string {
	values := strings.Join(h.options.columns(), ", ")
	if h.either() {
		values = "one of delta or score"
	}
	return "the columns are time, member, " + values + ", and optionally board and op"
}

// either reports whether the score is one column that may be called score or delta.
func (h header) either() bool {
	return len(h.options.Columns) == 0 || slices.Equal(h.options.Columns, []string{Single})
}

// means reports whether a column of this name has a meaning.
func (h header) means(name string) bool {
	return slices.Contains(reserved, name) || slices.Contains(h.options.columns(), name) || h.either() && name == delta
}

// ignores reports whether a column is ignored; name is its name after Options.Rename.
func (h header) ignores(old, name string) bool {
	return slices.Contains(h.options.Ignore, old) || !h.means(name) && (slices.Contains(h.options.Ignore, AllUnknown) ||
		name == Single && slices.Equal(h.options.Columns, []string{delta}))
}

// parseHeader finds the columns by their names. It returns a reason if a name is wrong.
func parseHeader(names []string, o Options) (c columns, reason string) {
	h := header{o, map[string]int{}, slices.Clone(names)}
	if reason := h.find(); reason != "" {
		return c, reason
	}
	for _, name := range []string{"time", "member"} {
		if _, ok := h.at[name]; !ok {
			return c, fmt.Sprintf("column %q is missing: %s", name, h.known())
		}
	}
	c = columns{time: h.at["time"], board: -1, member: h.at["member"], op: -1, count: len(names)}
	if board, ok := h.at["board"]; ok {
		c.board = board
	}
	if op, ok := h.at["op"]; ok {
		c.op = op
	}
	if reason := h.findValues(&c); reason != "" {
		return c, reason
	}
	for _, name := range append([]string{"time", "member", "board", "op"}, c.names...) {
		if i, ok := h.at[name]; ok {
			c.sources = append(c.sources, name+"="+h.file[i])
		}
	}
	return c, ""
}

// find finds the column of each name.
func (h header) find() (reason string) {
	for _, old := range slices.Sorted(maps.Keys(h.options.Rename)) {
		if !slices.Contains(h.file, old) {
			return fmt.Sprintf("has no column %q, which --rename names", old)
		}
	}
	for i, old := range h.file {
		name, renamed := h.options.Rename[old]
		if !renamed {
			name = old
		}
		if h.ignores(old, name) {
			continue
		}
		if !h.means(name) {
			return fmt.Sprintf("unknown column %s: %s; --rename gives a column another name, --ignore-columns leaves it out", quote(name), h.known())
		}
		if _, twice := h.at[name]; twice {
			return fmt.Sprintf("column %q is named twice", name)
		}
		h.at[name] = i
	}
	return ""
}

// findValues finds the columns of the score.
func (h header) findValues(c *columns) (reason string) {
	values := h.options.columns()
	if h.either() {
		_, hasDelta := h.at[delta]
		_, hasScore := h.at[Single]
		if hasDelta == hasScore && len(h.options.Columns) == 0 || !hasDelta && !hasScore {
			return fmt.Sprintf("needs exactly one of the columns %q and %q, has %s", delta, Single, bothOr(hasDelta))
		}
		if !hasScore {
			values = []string{delta}
		}
	}
	for k, name := range values {
		i, ok := h.at[name]
		if !ok {
			return fmt.Sprintf("column %q is missing: %s", name, h.known())
		}
		c.values, c.names = append(c.values, i), append(c.names, name)
		c.absent = append(c.absent, slices.Contains(h.options.Absent, h.options.columns()[k]))
	}
	if slices.Equal(values, []string{delta}) {
		c.kind = Delta
	}
	return ""
}

func bothOr(both bool) string {
	if both {
		return "both; --column score or --column delta says which"
	}
	return "neither"
}

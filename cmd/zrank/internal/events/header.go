package events

import (
	"fmt"
	"slices"
	"strings"
)

// Kind says what the numbers of an input are.
type Kind uint8

const (
	// Score is a result as it stands.
	Score Kind = iota
	// Delta is an amount to add to the member's score.
	Delta
)

// Single is the name of the column of a board that has one, unless it is called otherwise. An input has it as score or as delta.
const Single = "score"

// delta is the other name.
const delta = "delta"

// columns says where each column of a row is; board is -1 when the file has none.
type columns struct {
	time, board, member int
	values              []int    // in the order the caller has named them
	names               []string // of the values, as the file has them
	count               int
	kind                Kind
}

// headed is a header being read.
type headed struct {
	at     map[string]int
	values []string
}

// known says which columns there may be.
func (h headed) known() string {
	values := strings.Join(h.values, ", ")
	if h.single() {
		values = "one of delta or score"
	}
	return "the columns are time, member, " + values + ", and optionally board"
}

// single holds if the values are one column, which may be called delta.
func (h headed) single() bool { return len(h.values) == 1 && h.values[0] == Single }

// parseHeader reads the names of columns, of which those of values are wanted. A reason that is not empty says what is wrong with them.
func parseHeader(names, values []string) (c columns, reason string) {
	h := headed{map[string]int{}, values}
	for i, name := range names {
		if name != "time" && name != "board" && name != "member" && !slices.Contains(values, name) && !(name == delta && h.single()) {
			return c, fmt.Sprintf("unknown column %s: %s", quote(name), h.known())
		}
		if _, twice := h.at[name]; twice {
			return c, fmt.Sprintf("column %q is named twice", name)
		}
		h.at[name] = i
	}
	for _, name := range []string{"time", "member"} {
		if _, ok := h.at[name]; !ok {
			return c, fmt.Sprintf("column %q is missing: %s", name, h.known())
		}
	}
	c = columns{time: h.at["time"], board: -1, member: h.at["member"], count: len(names)}
	if board, ok := h.at["board"]; ok {
		c.board = board
	}
	return c, h.findValues(&c)
}

// findValues finds the columns of the score.
func (h headed) findValues(c *columns) (reason string) {
	if h.single() {
		_, hasDelta := h.at[delta]
		_, hasScore := h.at[Single]
		if hasDelta == hasScore {
			return fmt.Sprintf("needs exactly one of the columns %q and %q, has %s", delta, Single, bothOr(hasDelta))
		}
		if hasDelta {
			h.values, c.kind = []string{delta}, Delta
		}
	}
	for _, name := range h.values {
		i, ok := h.at[name]
		if !ok {
			return fmt.Sprintf("column %q is missing: %s", name, h.known())
		}
		c.values, c.names = append(c.values, i), append(c.names, name)
	}
	return ""
}

func bothOr(both bool) string {
	if both {
		return "both"
	}
	return "neither"
}

// CheckColumns returns an error if no input can have values of these names, since they stand for something else there. O(names).
func CheckColumns(values []string) error {
	for _, name := range []string{"time", "board", "member"} {
		if slices.Contains(values, name) {
			return fmt.Errorf("a column of a score is called %q, which means something else in an input", name)
		}
	}
	return nil
}

package events

import "fmt"

// Kind says what the numbers of an input are.
type Kind uint8

const (
	// Delta is an amount to add to the member's score.
	Delta Kind = iota
	// Score is a result as it stands.
	Score
)

// String returns the name of the column.
func (k Kind) String() string {
	if k == Delta {
		return "delta"
	}
	return "score"
}

const knownColumns = "the columns are time, member, one of delta or score, and optionally board"

// columns says where each column of a row is; board is -1 when the file has none.
type columns struct {
	time, board, member, value int
	count                      int
	kind                       Kind
}

// parseHeader reads the column names. A reason that is not empty says what is wrong with them.
func parseHeader(names []string) (c columns, reason string) {
	at := map[string]int{}
	for i, name := range names {
		switch name {
		case "time", "board", "member", "delta", "score":
		default:
			return c, fmt.Sprintf("unknown column %s: %s", quote(name), knownColumns)
		}
		if _, twice := at[name]; twice {
			return c, fmt.Sprintf("column %q is named twice", name)
		}
		at[name] = i
	}
	for _, name := range []string{"time", "member"} {
		if _, ok := at[name]; !ok {
			return c, fmt.Sprintf("column %q is missing: %s", name, knownColumns)
		}
	}
	delta, hasDelta := at["delta"]
	score, hasScore := at["score"]
	if hasDelta == hasScore {
		return c, fmt.Sprintf("needs exactly one of the columns %q and %q, has %s", "delta", "score", bothOr(hasDelta))
	}
	c = columns{time: at["time"], board: -1, member: at["member"], value: delta, count: len(names), kind: Delta}
	if hasScore {
		c.value, c.kind = score, Score
	}
	if board, ok := at["board"]; ok {
		c.board = board
	}
	return c, ""
}

func bothOr(both bool) string {
	if both {
		return "both"
	}
	return "neither"
}

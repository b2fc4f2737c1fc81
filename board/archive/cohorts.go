package archive

import (
	"fmt"
	"math"
	"slices"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/relocation"
)

// outcomes are the names of what has become of a member of a cohort, by number; "": it is not settled.
var outcomes = []string{"", "stay", "up", "down"}

// cohortLine returns the line of a member of a cohort.
func cohortLine(c relocation.Cohort) line {
	return line{Cohort: nameOf(c.Member), Tier: int64(c.Tier), Band: c.Band, Number: c.Number, Outcome: outcomes[c.Outcome]}
}

// cohortOf is the inverse of cohortLine.
func cohortOf(l *line) (c relocation.Cohort, err error) {
	outcome := slices.Index(outcomes, l.Outcome)
	if outcome < 0 || *l.Cohort == "" || len(*l.Cohort) > board.MaxMember || l.Tier < 0 || l.Tier > math.MaxInt32 {
		return c, fmt.Errorf("%.64q is in a cohort with a tier or an outcome that there cannot be, or is no member", *l.Cohort)
	}
	return relocation.Cohort{Member: string(*l.Cohort), Tier: int(l.Tier), Band: l.Band, Number: l.Number, Outcome: uint8(outcome)}, nil
}

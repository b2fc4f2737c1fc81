// Package rules is what a score is and what a submission makes of it: pure functions over an entry and a submission, which any
// store of entries could run.
//
//	r, err := rules.New([]rules.Column{{Name: "solved"}, {Name: "penalty", Order: rules.Asc}}, rules.Sum, rules.FirstToReach)
//	next, changed, err := r.Apply(old, had, rules.Entry{Score: rules.Ints(1, 23), Reached: at.UnixMicro()})
//
// # Terminology
//
//   - column: one number of a score, an int64 or a float64, with an order that says which values are better.
//   - score: the values of all columns. The first column decides; those after it decide among scores that are equal before them.
//   - entry: a member's score, when it was reached, and the arrival, which counts the changes to a ranking.
//   - operator: how a submission meets the score a member has. Best, Last and First take one whole score or the other. Sum, Min
//     and Max work on each column by itself, and then a column may have an operator of its own.
//   - tie: entries of equal score. The tie rule orders them.
//   - code: the 64 bits of a value that order as the column ranks, best first.
//   - form: an entry as a sorted set keeps it, best first: the code of the first column as the set's score, and a tie with the
//     codes of the others, when the score was reached, and the arrival.
//
// # Invariants
//
//   - R1: a submission that leaves the score as it is never makes a member stand behind its equals: it leaves the entry as it is,
//     or makes it older where that helps the member.
//   - R2: Best never mixes columns: the score is one that was submitted.
//   - R3: forms, followed by the members' bytes, order as Compare, then the tie rule, then the members' bytes do.
//   - R4: Decode is the inverse of Encode, over the whole range of both kinds, of times and of arrivals. With ByMember entries and
//     forms have no times.
//   - R5: after an error the entry is as it was.
//
// # Where things are
//
//	rules.go, score.go  Rules, kinds, orders and operators; scores
//	apply.go            the whole rule of a board, a pure function
//	compare.go          the order of scores
//	form.go             how an entry orders as bytes
//	convert.go          entries of one board's rules as another's
//	errors.go           the errors
package rules

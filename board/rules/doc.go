// Package rules defines scores, and how a submission changes an entry. Its functions are pure: any store of entries could use them.
//
//	r, err := rules.New([]rules.Column{{Name: "solved"}, {Name: "penalty", Order: rules.Asc}}, rules.Sum, rules.FirstToReach)
//	next, changed, err := r.Apply(old, had, rules.Entry{Score: rules.Ints(1, 23), Reached: at.UnixMicro()})
//
// # Terminology
//
//   - column: one number of a score, an int64, a number with a fixed number of decimals, or a float64, with an order that says which values
//     are better. A number with decimals is stored as an int64 of its units: 114 for 1.14.
//   - score: the values of all columns. The first column decides; those after it decide among scores that are equal before them.
//   - entry: a member's score, when it was reached, and the arrival, which counts the changes to a ranking.
//   - operator: how a submission is combined with the member's present score. Best, Last and First take one whole score or the
//     other, Last and First by the times of results. Sum, Min and Max work on each column by itself, and then a column may have its own operator. BestOf, LastOf and DropWorst add
//     up some of the results, and keep k of them for each member.
//   - tie: entries of equal score. The tie rule orders them.
//   - code: the 64 bits of a value that order as the column ranks, best first.
//   - form: an entry as a sorted set stores it, best first. The set's score is the code of the first column. The tie has the codes
//     of the other columns, when the score was reached, and the arrival. More than four columns are packed: see pack.go.
//
// # Invariants
//
//   - R1: a submission that leaves the score as it is never moves a member behind others of equal score: it leaves the entry as it
//     is, or sets Reached to an earlier time if that improves the rank.
//   - R2: Best never mixes columns: the score is one that was submitted.
//   - R3: forms followed by the members' bytes sort by Compare, then by the tie rule, then by the members' bytes.
//   - R4: Decode is the inverse of Encode, over the whole range of both kinds, of times and of arrivals. With ByMember entries and
//     forms have no times.
//   - R5: after an error the entry is as it was.
//
// # Where things are
//
//	rules.go, new.go    Rules, kinds, orders and operators; what is impossible
//	score.go, value.go  scores and entries, and the values of columns
//	apply.go            Apply, Merge: what a submission does to an entry, and the entry of another member
//	computed.go         columns that are weighted sums of others
//	times.go            ApplyTimed: operators that go by the times of results
//	ignored.go          Ignores: why a submission does not count
//	kept.go             ApplyKept, MergeKept: operators that keep results
//	rolling.go          what rolling windows need: sums of scores, taken apart again
//	compare.go          the order of scores
//	mode.go             the four modes of ranks; percent.go the best percent
//	form.go, pack.go    an entry as bytes that sort best first; how columns are packed
//	portable.go         a score as bytes that need no rules to be read
//	convert.go          converting entries to other rules
//	errors.go, fault.go the errors; that of a column
package rules

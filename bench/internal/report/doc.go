// Package report turns the figures of many runs into medians, ratios and verdicts, and prints them as tables, as JSON,
// which it reads again, or as Markdown for a README. A Report is a comparison of sorted sets; a Sheet is what any
// other command found.
//
// In a Report a ratio is zset's figure over the peer's: below 1 zset is better, in every row. In a Sheet it is taken round by
// round, and of updates a second: above 1 zrank is better. A spread is half the distance from the least to the greatest
// repetition, in per cent of the median.
package report

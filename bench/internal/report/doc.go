// Package report turns the figures of many runs into medians, ratios and verdicts, and prints them as tables, as JSON,
// which it reads again, or as Markdown for a README.
//
// A ratio is zset's figure over the peer's: below 1 zset is better, in every row. A spread is half the distance from the
// least to the greatest repetition, in per cent of the median.
package report

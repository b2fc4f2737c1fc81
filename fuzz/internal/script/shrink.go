package script

import "slices"

// Shrink removes lines from a script while it still fails: chunks of half its length, then a quarter, down to one line. It
// repeats that until it can remove no line, or has called fails limit times. Mostly O(n log n) calls.
func Shrink(script []Op, limit int, fails func([]Op) bool) []Op {
	for shorter := true; shorter && limit > 0; {
		shorter = false
		for size := max(len(script)/2, 1); size > 0 && limit > 0; size /= 2 {
			for from := 0; from < len(script) && limit > 0; limit-- {
				less := slices.Delete(slices.Clone(script), from, min(from+size, len(script)))
				if fails(less) {
					script, shorter = less, true
				} else {
					from += size
				}
			}
		}
	}
	return script
}

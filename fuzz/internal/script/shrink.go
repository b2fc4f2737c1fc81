package script

import "slices"

// Shrink takes lines out of a script while it still fails, in chunks of half its length, then a quarter, down to one line,
// again and again until no line can be spared or fails has been called limit times. O(n log n) calls mostly.
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

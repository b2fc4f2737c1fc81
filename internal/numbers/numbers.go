package numbers

import "strconv"

// Count writes a number with commas between thousands.
func Count[I int | int64 | uint64](n I) string {
	text := strconv.FormatInt(int64(n), 10)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Plural writes a number of things: "1 row", "2 rows".
func Plural(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Count(n) + " " + thing
}

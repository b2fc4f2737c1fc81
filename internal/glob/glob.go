// Package glob matches keys with the patterns of Redis KEYS.
//
//   - any bytes, or none
//     ?       one byte
//     [ab-d]  one of these bytes; [^ab-d] one that is not of these. A range may be given either way round
//     \x      the byte x, whatever it means otherwise
//
// A bracket that is not closed ends with the pattern. No pattern is an error.
package glob

// Compile returns a function that reports whether a key matches a pattern. It takes O(pattern × key) steps at most.
func Compile(pattern string) func(key string) bool {
	return func(key string) bool { return match(pattern, key) }
}

// match compares pattern and key from the left. At a mismatch it goes back to the last star and lets the star match one more byte. It
// need not try earlier stars again.
func match(pattern, key string) bool {
	star, from := -1, 0 // the pattern's index after the last star, and the key's index after the bytes that the star matches
	p, k := 0, 0
	for k < len(key) {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			star, from = p, k
			continue
		}
		if next, ok := one(pattern, p, key[k]); ok {
			p, k = next, k+1
			continue
		}
		if star < 0 {
			return false
		}
		from++
		p, k = star, from
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// one matches one byte with the pattern element at p, and returns the index after that element.
func one(pattern string, p int, b byte) (next int, ok bool) {
	if p == len(pattern) {
		return p, false
	}
	switch pattern[p] {
	case '?':
		return p + 1, true
	case '[':
		return class(pattern, p+1, b)
	case '\\':
		if p+1 < len(pattern) {
			p++
		}
	}
	return p + 1, pattern[p] == b
}

// class matches one byte with the bracket expression whose content begins at p, and returns the index after the bracket.
func class(pattern string, p int, b byte) (next int, ok bool) {
	not := p < len(pattern) && pattern[p] == '^'
	if not {
		p++
	}
	in := false
	for p < len(pattern) && pattern[p] != ']' {
		if pattern[p] == '\\' && p+1 < len(pattern) {
			p++
			in = in || pattern[p] == b
			p++
			continue
		}
		low, high := pattern[p], pattern[p]
		if p+2 < len(pattern) && pattern[p+1] == '-' {
			high = pattern[p+2]
			p += 2
		}
		in = in || min(low, high) <= b && b <= max(low, high)
		p++
	}
	return min(p+1, len(pattern)), in != not
}

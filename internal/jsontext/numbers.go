package jsontext

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// exactFloats is 2^53: float64 has every integer below it, each as the nearest one of no other integer.
const exactFloats = 1 << 53

// Whole returns a text with its whole numbers below 2^53 without a point and an exponent: 5.0 and 5e0 become 5, -0.0 becomes 0. JSON and its schemas do not tell
// these apart, and encoding/json reads integers of the first form only. It does not change the text that it is given. O(bytes).
func Whole(text []byte) []byte {
	var out []byte
	copied := 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			i = behindString(text, i)
		case c == '-' || isDigit(c):
			end := i + 1
			for end < len(text) && (isDigit(text[end]) || strings.IndexByte("+-.eE", text[end]) >= 0) {
				end++
			}
			if number, ok := whole(text[i:end]); ok {
				out = append(append(out, text[copied:i]...), number...)
				copied = end
			}
			i = end
		default:
			i++
		}
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// behindString returns where the string that begins at i ends.
func behindString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// whole returns a number as an integer. It returns false for one that is written as an integer already, is not whole, is 2^53 or more, or is no number of JSON.
func whole(number []byte) (text string, ok bool) {
	if !bytes.ContainsAny(number, ".eE") || !json.Valid(number) {
		return "", false
	}
	digits, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	digits, negative := strings.CutPrefix(digits, "-")
	before, behind, _ := strings.Cut(digits, ".")
	digits = strings.TrimLeft(before+behind, "0")
	if digits == "" {
		return "0", true
	}
	zeros := -len(behind) // how many zeros stand behind the digits; below 0: digits are behind the point
	if exponent != "" {
		power, err := strconv.Atoi(exponent)
		if err != nil || power > len(number)+20 || power < -len(number) {
			return "", false
		}
		zeros += power
	}
	short := strings.TrimRight(digits, "0")
	zeros += len(digits) - len(short)
	if zeros < 0 || len(short)+zeros > len("9007199254740992") {
		return "", false
	}
	n, err := strconv.ParseInt(short+strings.Repeat("0", zeros), 10, 64)
	if err != nil || n >= exactFloats {
		return "", false
	}
	if negative {
		n = -n
	}
	return strconv.FormatInt(n, 10), true
}

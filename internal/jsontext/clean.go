package jsontext

import "bytes"

// bom is the byte order mark, which editors of Windows put before a text.
var bom = []byte("\ufeff")

// TrimBOM returns a text without its byte order mark.
func TrimBOM(text []byte) []byte { return bytes.TrimPrefix(text, bom) }

// Clean returns a text without its byte order mark, and with whole numbers as encoding/json reads integers. Error: ErrString. It does not change the text that it is
// given. O(bytes).
func Clean(text []byte) ([]byte, error) {
	text = TrimBOM(text)
	if err := Check(text); err != nil {
		return nil, err
	}
	return Whole(text), nil
}

package flags

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ByteSize is a flag with a number of bytes: 64MiB, 1GiB, 4096.
type ByteSize int64

var byteUnits = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"B", 1}, {"", 1}}

// Set parses a number with a unit. Errors: any other text.
func (b *ByteSize) Set(text string) error {
	for _, u := range byteUnits {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(digits, 10, 62)
		if err != nil || int64(n) > (1<<62)/u.bytes {
			break
		}
		*b = ByteSize(int64(n) * u.bytes)
		return nil
	}
	return errors.New("want a number of bytes, as 4096, 64MiB or 1GiB")
}

// String returns the number with the largest unit that divides it.
func (b *ByteSize) String() string {
	for i := len(byteUnits) - 3; i >= 0; i-- {
		if u := byteUnits[i]; *b > 0 && int64(*b)%u.bytes == 0 {
			return fmt.Sprint(int64(*b)/u.bytes, u.name)
		}
	}
	return fmt.Sprint(int64(*b))
}

// Type returns the name of the type in the help.
func (b *ByteSize) Type() string { return "bytes" }

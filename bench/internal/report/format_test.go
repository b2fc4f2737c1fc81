package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/zrankdb/zrank/bench/internal/measure"
)

func TestNumbersForReaders(t *testing.T) {
	for got, want := range map[string]string{
		count(7): "7", count(1000): "1,000", count(1234567): "1,234,567",
		value(999.6, measure.Nanoseconds): "1,000", value(99_999, measure.Nanoseconds): "99,999",
		value(123_456, measure.Nanoseconds): "123 µs", value(2.5e6, measure.Nanoseconds): "2.50 ms",
		value(1.5e9, measure.Nanoseconds): "1,500 ms",
		value(49.96, measure.Byte):        "50.0", value(0.00004, measure.Objects): "0.0000",
		value(0.345, measure.Milliseconds): "0.34", value(1060.35, measure.Milliseconds): "1,060",
		prose(650.4, measure.Nanoseconds): "650 ns", prose(1414, measure.Nanoseconds): "1.41 µs",
		prose(28_400, measure.Nanoseconds): "28.4 µs", prose(4.3e6, measure.Nanoseconds): "4.30 ms",
		prose(60.3, measure.Byte): "60 B", prose(93.04, measure.Milliseconds): "93.0 ms",
		digits(9.996): "10.0", digits(99.96): "100",
		ratio(0.004): "<0.01x", ratio(0.5): "0.50x", ratio(0): "0.00x",
	} {
		assert.Equal(t, want, got)
	}
}

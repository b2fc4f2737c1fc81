package resp

import (
	"math"
	"time"
)

// unit is what a command counts time in: so many milliseconds.
type unit int64

const (
	milliseconds unit = 1
	seconds      unit = 1000
)

// epoch is where a command counts time from.
type epoch bool

const (
	fromNow  epoch = false
	from1970 epoch = true
)

// lastExpiry is the last millisecond after 1970 at which a key can vanish, in the year 9999: the engine's last. Keys that are to vanish
// later do so then.
const lastExpiry = 253_402_300_799_999

// timeOf is a millisecond after 1970 as the engine has it.
func timeOf(ms int64) time.Time { return time.UnixMilli(min(ms, lastExpiry)) }

// moment returns the millisecond after 1970 that a command means. The command's name is for the error.
func moment(n int64, u unit, from epoch, now time.Time, name string) (ms int64, err error) {
	if n > math.MaxInt64/int64(u) || n < math.MinInt64/int64(u) {
		return 0, errExpireTime(name)
	}
	ms = n * int64(u)
	if from == fromNow {
		if ms > math.MaxInt64-now.UnixMilli() {
			return 0, errExpireTime(name)
		}
		ms += now.UnixMilli()
	}
	return ms, nil
}

func errExpireTime(name string) refusal {
	return refusal("ERR invalid expire time in '" + name + "' command")
}

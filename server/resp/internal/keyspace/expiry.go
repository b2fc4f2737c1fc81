package keyspace

import (
	"math"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// Unit is the unit of a time that a client writes, in milliseconds.
type Unit int64

// The units of Redis's commands.
const (
	Milliseconds Unit = 1
	Seconds      Unit = 1000
)

// Epoch is where a time that a client writes begins.
type Epoch bool

// The epochs of Redis's commands.
const (
	FromNow  Epoch = false
	From1970 Epoch = true
)

// lastExpiry is the engine's last expiry, in Unix milliseconds: the end of the year 9999. A key with a later expiry expires then.
const lastExpiry = 253_402_300_799_999

// TimeOf returns the engine's time of Unix milliseconds.
func TimeOf(ms int64) time.Time { return time.UnixMilli(min(ms, lastExpiry)) }

// Moment returns the Unix milliseconds of a time that a client writes. name is the command's, for the error. Errors: a refusal.
func Moment(n int64, u Unit, from Epoch, now time.Time, name string) (ms int64, err error) {
	if n > math.MaxInt64/int64(u) || n < math.MinInt64/int64(u) {
		return 0, ErrExpireTime(name)
	}
	ms = n * int64(u)
	if from == FromNow {
		if ms > math.MaxInt64-now.UnixMilli() {
			return 0, ErrExpireTime(name)
		}
		ms += now.UnixMilli()
	}
	return ms, nil
}

// ErrExpireTime returns the refusal of an expiry that is out of range.
func ErrExpireTime(name string) command.Refusal {
	return command.Refusal("ERR invalid expire time in '" + name + "' command")
}

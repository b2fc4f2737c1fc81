//go:build !linux

package served

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/bench/internal/crew"
)

// supported says whether connections can be measured here.
const supported = false

// connections are measured on Linux only.
type connections struct{}

func dial(string, int) (*connections, error) { return nil, errors.ErrUnsupported }

func (*connections) Close() error { return nil }

func (*connections) drive(*requests, time.Duration, *crew.Recorder) (int, time.Duration, error) {
	return 0, 0, errors.ErrUnsupported
}

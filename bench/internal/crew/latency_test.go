package crew

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/zrankdb/zrank/bench/internal/figure"
)

func TestPercentiles(t *testing.T) {
	a, b := NewRecorder(), NewRecorder()
	for i := range 1000 {
		r := a
		if i%2 == 1 {
			r = b
		}
		r.Record(time.Duration(i+1) * time.Microsecond)
	}
	f := figure.Figures{}
	Merge([]*Recorder{a, b}).Into(f)
	assert.Equal(t, 1000.0, f[figure.Calls])
	for m, want := range map[figure.Metric]float64{
		figure.P50: 500e3, figure.P99: 990e3, figure.P999: 999e3, figure.Max: 1000e3,
	} {
		assert.InEpsilon(t, want, f[m], 0.02, m)
	}
}

func TestWhatIsOutOfRange(t *testing.T) {
	r := NewRecorder()
	r.Record(-1)
	r.Record(time.Hour)
	f := figure.Figures{}
	r.Into(f)
	assert.Equal(t, 2.0, f[figure.Calls])
	assert.InEpsilon(t, float64(time.Minute), f[figure.Max], 0.02)
}

func TestPointsRiseTo100(t *testing.T) {
	r := NewRecorder()
	for i := range 10_000 {
		r.Record(time.Duration(i + 1))
	}
	points := r.Points()
	assert.Greater(t, len(points), 20)
	assert.Equal(t, 100.0, points[len(points)-1][0])
	for i, p := range points {
		assert.InDelta(t, p[0]*100, p[1], 120, "ns that %v %% took", p[0])
		if i > 0 {
			assert.GreaterOrEqual(t, p[0], points[i-1][0])
			assert.GreaterOrEqual(t, p[1], points[i-1][1])
		}
	}
}

func TestNothing(t *testing.T) {
	assert.Empty(t, NewRecorder().Points())
	f := figure.Figures{}
	NewRecorder().Into(f)
	assert.Empty(t, f)
}

package process

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no /proc")
	}
	now, peak, ok := Resident(Self)
	require.True(t, ok)
	assert.Greater(t, now, 1e6)
	assert.GreaterOrEqual(t, peak, now)
	spent, err := CPU(Self)
	require.NoError(t, err)
	assert.Less(t, spent, time.Hour)
	t.Logf("%.1f MB, at most %.1f MB, %v of CPU", now/1e6, peak/1e6, spent)
}

func TestAProcessThatIsNotThere(t *testing.T) {
	_, _, ok := Resident("none")
	assert.False(t, ok)
	_, err := CPU("none")
	assert.Error(t, err)
}

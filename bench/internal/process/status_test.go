package process

import (
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThisProcess(t *testing.T) {
	now, peak, ok := Resident(os.Getpid())
	require.True(t, ok)
	assert.Greater(t, now, 1e6)
	assert.GreaterOrEqual(t, peak, now)
	spent, err := CPU(os.Getpid())
	require.NoError(t, err)
	assert.Less(t, spent, time.Hour)
	t.Logf("%.1f MB, at most %.1f MB, %v of CPU", now/1e6, peak/1e6, spent)
}

func TestAProcessThatIsNotThere(t *testing.T) {
	_, _, ok := Resident(1 << 30)
	assert.False(t, ok)
	_, err := CPU(1 << 30)
	assert.Error(t, err)
}

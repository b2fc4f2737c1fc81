package resptest_test

import (
	"testing"

	"github.com/zrankdb/zrank/server/resp/resptest"
)

// TestTwoOfAKind holds one redis-server against another: what differs then is a fault of the comparison.
func TestTwoOfAKind(t *testing.T) {
	a, b := resptest.Redis(t), resptest.Redis(t)
	report := resptest.Differ(t, a, b, 1, 20000)
	t.Log(report)
	for _, name := range resptest.Names() {
		if report.ByName[name].Replies == 0 {
			t.Errorf("no script has %s", name)
		}
	}
}

package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTicketsOfDroppedBoards: a ticket that was used does not count again on a board that is defined anew under the same name, and one of the new board counts.
func TestTicketsOfDroppedBoards(t *testing.T) {
	f := newFixture(t, Options{})
	issue := func() string {
		return string(f.call(allKey, "POST /v1/boards/duel/tickets", `{"member":"ada","score":[7]}`).body)
	}
	const redeem = "POST /v1/boards/duel/tickets/redeem"
	used, unused := issue(), issue()
	require.Equal(t, 200, f.call(allKey, redeem, used).status)
	f.clock.Add(time.Minute)
	require.Equal(t, 204, f.call(allKey, "DELETE /v1/boards/duel", "").status)
	require.Equal(t, 200, f.call(allKey, "PUT /v1/boards/duel", `{}`).status)
	require.Equal(t, "ticket", f.call(allKey, redeem, used).code())
	require.Equal(t, "ticket", f.call(allKey, redeem, unused).code())
	f.clock.Add(time.Second)
	require.Equal(t, 200, f.call(allKey, redeem, issue()).status)
}

package layout

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board/internal/relocation"
)

// read returns the standing that is stored in the fields of another one.
func read(s Standing) Standing {
	values := []any{nil, nil}
	for i, text := range s.Stored {
		if text != "" {
			values[i] = text
		}
	}
	return DecodeStanding(s.Fields, values)
}

// TestStanding: a standing is stored and read as it was, and stays what it is when a call that has held the member lets it go.
func TestStanding(t *testing.T) {
	keys := NewKeys("", "arena", "id", 3)
	for _, banned := range []bool{false, true} {
		for _, hidden := range []bool{false, true} {
			t.Run(fmt.Sprintf("banned=%v hidden=%v", banned, hidden), func(t *testing.T) {
				s := Standing{Fields: keys.StandingFields("hub")}.With(banned, hidden)
				require.Equal(t, s, read(s))
				require.Equal(t, []bool{banned, hidden}, []bool{s.Banned, s.Hidden})
				held := s
				held.Stored[0] += "w1000" // as hold stores it
				held = read(held)
				require.Equal(t, []bool{banned, hidden}, []bool{held.Banned, held.Hidden})
				require.True(t, held.IsHeld(time.UnixMilli(999)))
				require.False(t, held.IsHeld(time.UnixMilli(1000)))
				require.False(t, s.IsHeld(time.UnixMilli(0)))
				require.Equal(t, s, held.Released())
				require.Equal(t, s, held.With(banned, hidden))
				erased := read(held.Erased())
				require.Equal(t, []bool{banned, false}, []bool{erased.Banned, erased.Hidden})
				require.Empty(t, erased.Stored[0], "nothing has the name")
				require.Equal(t, erased, held.Erased())
			})
		}
	}
	fields := keys.StandingFields("hub")
	member, ok := MemberOf(fields[0])
	require.Equal(t, "hub", member)
	require.True(t, ok)
	_, ok = MemberOf(fields[1])
	require.False(t, ok)
}

// TestFields: the parts of fields of the fence are those that they were made of. A period or a baseline may have any name.
func TestFields(t *testing.T) {
	for _, name := range []string{"", "2026-11-26T12", "a/b"} {
		kind, window, of := CutField(PeriodField("hour", name))
		require.Equal(t, []string{PeriodKind, "hour", name}, []string{kind, window, of})
		kind, window, of = CutField(BaselineField("hour", name))
		require.Equal(t, []string{BaselineKind, "hour", name}, []string{kind, window, of})
	}
	kind, window, of := CutField(ClosedField("hour"))
	require.Equal(t, []string{ClosedKind, "hour", ""}, []string{kind, window, of})
	kind, _, _ = CutField(DroppedField)
	require.Equal(t, DroppedField, kind)
}

// TestDestination: a field of the fence names a destination only while the board leaves and after it has left.
func TestDestination(t *testing.T) {
	there := relocation.Destination{ID: "id", Address: "redis://there:1 x"}
	for field, want := range map[string]relocation.Destination{
		"": {}, "noted id": {}, "held id 17": {}, "leaving id redis://there:1 x": there, "left id redis://there:1 x": there} {
		to, left := Destination(field)
		require.Equal(t, want, to, field)
		require.Equal(t, field != "" && field[:4] == "left", left, field)
	}
}

// TestCatalog: what is known of a name besides a board is in fields that are no boards, and is that of one board.
func TestCatalog(t *testing.T) {
	require.True(t, IsBoard("arena"))
	require.False(t, IsBoard(ComingField("arena")))
	require.False(t, IsBoard(LeftField("arena")))
	require.NotEqual(t, ComingField("arena"), LeftField("arena"))
	require.Equal(t, "there", LeftFor("id", "id there"))
	require.Empty(t, LeftFor("id", "earlier there"))
	require.Empty(t, LeftFor("id", ""))
}

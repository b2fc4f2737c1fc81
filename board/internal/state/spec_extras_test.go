package state

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// TestExtras: each field of a spec is one that every board may have, or is named by Extras.
func TestExtras(t *testing.T) {
	plain := []string{"Name", "Columns", "Op", "K", "Ties", "Windows", "MaxMeta", "OnceFor"}
	require.Empty(t, Extras(board.Spec{Name: "arena"}.WithDefaults()))
	var all board.Spec
	for i, f := range reflect.VisibleFields(reflect.TypeFor[board.Spec]()) {
		var s board.Spec
		for _, v := range []reflect.Value{reflect.ValueOf(&s).Elem().Field(i), reflect.ValueOf(&all).Elem().Field(i)} {
			switch f.Type.Kind() {
			case reflect.Pointer:
				v.Set(reflect.New(f.Type.Elem()))
			case reflect.Slice:
				v.Set(reflect.MakeSlice(f.Type, 1, 1))
			case reflect.Bool:
				v.SetBool(true)
			case reflect.String:
				v.SetString("x")
			default:
				v.SetInt(1)
			}
		}
		if slices.Contains(plain, f.Name) {
			require.Empty(t, Extras(s), f.Name)
		} else {
			require.Len(t, Extras(s), 1, f.Name)
		}
	}
	all.Windows = []window.Window{{Kind: window.Rolling}}
	require.Equal(t, []string{"rolling windows", "top", "bestRanks", "parts", "journal", "feed", "awards", "leagues", "derived"}, Extras(all))
}

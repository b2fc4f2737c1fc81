package specs

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine/board/window"
)

// TestExtras: each field of a spec is one that every board may have, or is named by Extras.
func TestExtras(t *testing.T) {
	plain := []string{"Name", "Columns", "Op", "K", "Ties", "Windows", "MaxMeta", "OnceFor"}
	require.Empty(t, WithDefaults(Spec{Name: "arena"}).Extras())
	var all Spec
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Spec]()) {
		var s Spec
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
			require.Empty(t, s.Extras(), f.Name)
		} else {
			require.Len(t, s.Extras(), 1, f.Name)
		}
	}
	all.Windows = []window.Window{{Kind: window.Rolling}}
	require.Equal(t, []string{"rolling windows", "top", "bestRanks", "parts", "journal", "feed", "awards", "leagues", "derived"}, all.Extras())
}

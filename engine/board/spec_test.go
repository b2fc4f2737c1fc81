package board

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	for name, row := range map[string]struct {
		spec Spec
		want []string // each must be in the error
	}{
		"no name":          {Spec{}, []string{"name has 0 bytes, want 1 to 1024"}},
		"long name":        {Spec{Name: strings.Repeat("n", 1025)}, []string{"name has 1025 bytes"}},
		"name not UTF-8":   {Spec{Name: "a\xffb"}, []string{`name "a\xffb" is not UTF-8`}},
		"op":               {Spec{Name: "x", Op: "max"}, []string{`op is "max", want sum, best or last`}},
		"order":            {Spec{Name: "x", Order: "up"}, []string{`order is "up", want desc or asc`}},
		"ties":             {Spec{Name: "x", Ties: "fair"}, []string{`ties is "fair", want first, last or member`}},
		"window":           {Spec{Name: "x", Windows: []Window{"eon"}}, []string{`window is "eon", want one of all,hour,day,week,month,year`}},
		"window twice":     {Spec{Name: "x", Windows: []Window{Day, All, Day}}, []string{"window day is there twice"}},
		"empty window":     {Spec{Name: "x", Windows: []Window{""}}, []string{`window is ""`}},
		"capitals matter":  {Spec{Name: "x", Op: "Sum"}, []string{`op is "Sum"`}},
		"everything wrong": {Spec{"", "a", "b", "c", []Window{"d", All, All}}, []string{"name", `"a"`, `"b"`, `"c"`, `"d"`, "twice"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := row.spec.Validate()
			require.ErrorIs(t, err, ErrSpec)
			for _, want := range row.want {
				assert.ErrorContains(t, err, want)
			}
			assert.Len(t, strings.Split(err.Error(), "\n"), len(row.want), "one line for each problem")
			_, err = Open(newMemory(t), row.spec)
			require.ErrorIs(t, err, ErrSpec)
		})
	}
	everySpec(func(spec Spec) {
		spec.Windows = windows
		assert.NoError(t, spec.Validate())
	})
	assert.NoError(t, Spec{Name: strings.Repeat("n", MaxName)}.Validate())
}

func TestDifferences(t *testing.T) {
	base := Spec{Name: "x", Op: Sum, Windows: []Window{All, Week}}
	for _, row := range []struct {
		other Spec
		want  []string
	}{
		{base, nil},
		{Spec{Name: "another", Op: Sum, Order: Desc, Ties: FirstToReach, Windows: []Window{Week, All}}, nil},
		{Spec{Op: Best, Windows: []Window{All, Week}}, []string{"op is best, not sum"}},
		{Spec{Op: Sum, Order: Asc, Windows: []Window{All, Week}}, []string{"order is asc, not desc"}},
		{Spec{Op: Sum, Ties: ByMember, Windows: []Window{All, Week}}, []string{"ties is member, not first"}},
		{Spec{Op: Sum}, []string{"windows is all, not all,week"}},
		{Spec{Order: Asc, Ties: LastToReach, Windows: []Window{Day}},
			[]string{"op is best, not sum", "order is asc, not desc", "ties is last, not first", "windows is day, not all,week"}},
	} {
		assert.Equal(t, row.want, base.Differences(row.other))
	}
}

func TestDecodeSpec(t *testing.T) {
	spec := Spec{Name: "<ü&/%\x00\u2028>", Op: Last, Order: Asc, Ties: ByMember, Windows: []Window{Year, All}}
	b, err := spec.encode()
	require.NoError(t, err)
	got, err := decodeSpec(b)
	require.NoError(t, err)
	assert.Equal(t, spec, got)
	for _, bad := range []string{"", "{", `{"format":2,"spec":{"name":"x"}}`, `{"format":1,"spec":{"name":""}}`, `[]`} {
		_, err := decodeSpec([]byte(bad))
		assert.Error(t, err, bad)
	}
}

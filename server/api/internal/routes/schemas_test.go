package routes

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/fieldcomments"
)

var write = flag.Bool("write", false, "store the comments of fields")

// TestFields: fields.json has the comments of the contract as they are. Make it with go test ./server/api/internal/routes -run TestFields -args -write.
func TestFields(t *testing.T) {
	all := map[string]string{}
	for _, folder := range []string{"board", "board/audit", "board/awards", "board/feed", "board/rules", "board/window"} {
		comments, err := fieldcomments.Read("../../../../" + folder)
		require.NoError(t, err)
		maps.Copy(all, comments)
	}
	text, err := json.MarshalIndent(all, "", "\t")
	require.NoError(t, err)
	text = append(text, '\n')
	if *write {
		require.NoError(t, os.WriteFile("fields.json", text, 0o644))
		return
	}
	require.Equal(t, string(text), string(fieldsJSON), "go test ./server/api/internal/routes -run TestFields -args -write")
}

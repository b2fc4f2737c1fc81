package commit

import (
	"context"
	"fmt"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/cluster/internal/layout"
	"github.com/zrankdb/zrank/board/cluster/internal/servers"
)

// Define stores a board by its stored form in the catalog, which is a key, unless there is one of its name. Errors: board.ErrIncoming, those of the servers.
func Define(ctx context.Context, v *servers.Servers, catalog, name, stored string) error {
	reply, err := v.Run(ctx, define, []string{catalog}, name, layout.ComingField(name), stored)
	if err != nil {
		return v.Explain(err)
	}
	if reply != "made" {
		return fmt.Errorf("%w: %q", board.ErrIncoming, name)
	}
	return nil
}

package replica

import (
	"context"
	"fmt"
	"strings"

	"github.com/zrankdb/zrank/engine"
)

// mark is the private key that says that the engine's keys were copied, and from where.
const mark = "replica.source"

// prepare makes the engine one without keys, but those of boards: it deletes what an earlier Run has copied. Errors: ErrNotEmpty, for keys that no Run has copied,
// unless they are to be replaced; those of the engine.
func prepare(ctx context.Context, e *engine.Engine, o Options) error {
	copied := ""
	err := e.View(ctx, func(tx *engine.Tx) error {
		text, _, err := tx.Get(mark)
		copied = string(text)
		return err
	})
	if err != nil {
		return err
	}
	server, err := newLocal(ctx, e)
	if err != nil {
		return err
	}
	defer func() { _ = server.Close() }()
	if copied != o.Address && !o.Replace {
		if err := checkEmpty(ctx, server, copied); err != nil {
			return err
		}
	}
	c := server.client(0)
	defer func() { _ = c.Close() }()
	if err := c.FlushAll(ctx).Err(); err != nil {
		return fmt.Errorf("replica: deleting what was copied before: %w", err)
	}
	return e.Update(ctx, func(tx *engine.Tx) error { return tx.Put(mark, []byte(o.Address)) })
}

// checkEmpty returns ErrNotEmpty if the engine has keys beside those of boards.
func checkEmpty(ctx context.Context, server *local, copied string) error {
	for db := range databases {
		c := server.client(db)
		keys, err := c.Keys(ctx, "*").Result()
		_ = c.Close()
		if err != nil {
			return err
		}
		for _, key := range keys {
			if strings.HasPrefix(key, "board/") {
				continue
			}
			if copied != "" {
				return fmt.Errorf("%w: they were copied from %s", ErrNotEmpty, copied)
			}
			return fmt.Errorf("%w, such as %.64q of database %d", ErrNotEmpty, key, db)
		}
	}
	return nil
}

package boardtest

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
)

// pay is a Grant: it adds the payloads to the member's coins.
func pay(tx *engine.Tx, a awards.Award) error {
	key := "coins " + a.Member
	text, _, err := tx.Get(key)
	if err != nil {
		return err
	}
	coins, _ := strconv.Atoi(string(text))
	for _, t := range a.Tiers {
		n, err := strconv.Atoi(t.Payload)
		if err != nil {
			return err
		}
		coins += n
	}
	return tx.Put(key, []byte(strconv.Itoa(coins)))
}

// delivery is a Delivery that a scenario has set.
type delivery struct {
	board, window string
	fails         []string // members whose Grant fails
}

func (d delivery) set(b Backend) error {
	all, err := locals(b)
	for _, boards := range all {
		err = errors.Join(err, boards.Deliver(d.board, d.window, local.Delivery{Grant: d.grant}))
	}
	return err
}

// grant pays an award, and fails for some members.
func (d delivery) grant(_ context.Context, tx *engine.Tx, a awards.Award) error {
	if err := pay(tx, a); err != nil {
		return err
	}
	if slices.Contains(d.fails, a.Member) {
		return errors.New("the scenario says that it fails")
	}
	return nil
}

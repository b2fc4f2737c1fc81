package transfer

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/engine"
)

// stored is a private key with its value.
type stored struct {
	key   string
	value []byte
}

// manyKeys and manyBytes are how many private keys, and how long ones, one transaction stores: the
// values of some boards are large.
const manyKeys, manyBytes = 1000, 1 << 20

// storeKeys stores private keys, many by each commit.
func storeKeys(ctx context.Context, own engine.Owner, list []stored) error {
	for len(list) > 0 {
		n, size := 0, 0
		for n < min(len(list), manyKeys) && size < manyBytes {
			size += len(list[n].value)
			n++
		}
		some := list[:n]
		list = list[n:]
		err := own.Update(ctx, nil, func(tx *engine.Tx) (err error) {
			for _, x := range some {
				err = errors.Join(err, tx.Put(x.key, x.value))
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

//go:build seeded

package persist

import (
	"errors"

	"github.com/zrankdb/zrank/internal/seeded"
)

func init() {
	seededBugs = append(seededBugs,
		seeded.Proof{Bug: "skip the crc chain", Check: swapGroup},
		seeded.Proof{Bug: "ignore the high-water mark", Check: func() error { _, err := cutLog(4<<10, 256, 8); return err }},
		seeded.Proof{Bug: "skip the raw scan", Check: func() error { _, err := flipLog(12, 65<<10, 6, false); return err }},
		seeded.Proof{Bug: "HWM ahead of the sync", Check: func() error { _, err := markCrashes(3); return err }},
		seeded.Proof{Bug: "forget the directory sync", Check: acknowledgedAtOnce},
		seeded.Proof{Bug: "open before the checks", Check: func() error {
			_, err := damageManifest(40)
			_, cutErr := cutLog(4<<10, 256, 8)
			return errors.Join(err, cutErr)
		}},
	)
}

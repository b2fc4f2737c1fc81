//go:build seeded

package persist

import "errors"

func init() {
	seededBugs = append(seededBugs,
		seededBug{"skip the crc chain", swapGroup},
		seededBug{"ignore the high-water mark", func() error { _, err := cutLog(4<<10, 256, 8); return err }},
		seededBug{"skip the raw scan", func() error { _, err := flipLog(12, 65<<10, 6, false); return err }},
		seededBug{"HWM ahead of the sync", func() error { _, err := markCrashes(3); return err }},
		seededBug{"forget the directory sync", acknowledgedAtOnce},
		seededBug{"open before the checks", func() error {
			_, err := damageManifest(40)
			_, cutErr := cutLog(4<<10, 256, 8)
			return errors.Join(err, cutErr)
		}},
	)
}

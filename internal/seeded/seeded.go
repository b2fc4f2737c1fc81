// Package seeded puts known bugs into the code, one at a time, to show that the tests would notice them. The bugs are there
// in builds with -tags seeded only.
//
//	if seeded.Bug("ack before sync") {
//		return nil
//	}
package seeded

//go:build invariants

package invariants

// Enabled is true in builds with -tags invariants and under the race detector: structures then verify their numbered
// invariants after changes. It is a constant, so the checks cost nothing in other builds.
const Enabled = true

const sampled = false

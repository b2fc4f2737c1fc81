package state

import (
	"encoding/json"
	"fmt"
	"sync"
)

// Promoting is a closed period whose cohorts are not settled: members are still to be promoted and relegated.
type Promoting struct {
	Period string
	Promotion

	Working sync.Mutex // held by the goroutine that settles all cohorts of the period
}

// Promotion is what is stored of such a period: the rules that the board had when it was closed.
type Promotion struct {
	End   int64 `json:"end"` // of the period, in microseconds after 1970
	Up    int   `json:"up"`
	Down  int   `json:"down"`
	Tiers int   `json:"tiers"`
}

// Encode returns the stored form.
func (p *Promotion) Encode() ([]byte, error) { return json.Marshal(p) }

// DecodePromotion is the inverse of Encode.
func DecodePromotion(text []byte) (p Promotion, err error) {
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("promotion: %w", err)
	}
	return p, nil
}

package board

import (
	"encoding/json"
	"time"
)

// record is what is known of a closed period that has held somebody. It does not change.
type record struct {
	Period   string
	Start    time.Time
	End      time.Time
	ClosedAt time.Time // to the microsecond
	Members  int
}

// storedRecord is what is stored of it, as JSON. Times are microseconds after 1970: as text they could not be of the year 10000, and
// would lose the seconds of zones that kept local mean time.
type storedRecord struct {
	Period   string `json:"period"`
	Start    int64  `json:"start"`
	End      int64  `json:"end"`
	ClosedAt int64  `json:"closedAt"`
	Members  int    `json:"members"`
}

func (r *record) encode() ([]byte, error) {
	return json.Marshal(storedRecord{r.Period, r.Start.UnixMicro(), r.End.UnixMicro(), r.ClosedAt.UnixMicro(), r.Members})
}

// decodeRecord is the inverse of encode. Times are in UTC.
func decodeRecord(b []byte) (*record, error) {
	var s storedRecord
	if err := json.Unmarshal(b, &s); err != nil {
		return nil, err
	}
	utc := func(micro int64) time.Time { return time.UnixMicro(micro).UTC() }
	return &record{s.Period, utc(s.Start), utc(s.End), utc(s.ClosedAt), s.Members}, nil
}

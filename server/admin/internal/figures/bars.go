package figures

import "math"

// Bucket is a range of a histogram.
type Bucket struct {
	Label string
	N     int
}

// Bar is a bucket in a drawing that is 100 high.
type Bar struct {
	Bucket
	X, Y, Height int
}

// BarWidth is the width of a bar, with the space behind it.
const BarWidth = 12

// Bars returns the bars of a histogram. Their heights are as the logarithms of the numbers: most scores have a few large buckets and many small ones. A bucket
// that is not empty has a bar that can be seen.
func Bars(buckets []Bucket) []Bar {
	most := 1
	for _, b := range buckets {
		most = max(most, b.N)
	}
	all := make([]Bar, 0, len(buckets))
	for i, b := range buckets {
		height := int(math.Ceil(100 * math.Log1p(float64(b.N)) / math.Log1p(float64(most))))
		all = append(all, Bar{b, i * BarWidth, 100 - height, height})
	}
	return all
}

package figures

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

// Bars returns the bars of a histogram. A bucket that is not empty has a bar that can be seen.
func Bars(buckets []Bucket) []Bar {
	most := 1
	for _, b := range buckets {
		most = max(most, b.N)
	}
	all := make([]Bar, 0, len(buckets))
	for i, b := range buckets {
		height := (b.N*100 + most - 1) / most
		all = append(all, Bar{b, i * BarWidth, 100 - height, height})
	}
	return all
}

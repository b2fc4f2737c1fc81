// Package figures is what the pages know of an engine over time, and how much of the machine the pages may take.
//
// # What it promises
//
//   - FI1: History samples an engine every Every, whether somebody looks or not, and keeps the last hour.
//   - FI2: what Budget reads again for pages that are open takes at most a share of one processor, over any long time and for all pages together: beyond that
//     pages show older states.
//
// # Where things are
//
//	history.go  History: samples of an engine
//	sample.go   what a sample has, and columns of them for charts
//	rates.go    Rates: how fast counts rise
//	bars.go     Bars: histograms as drawings
//	budget.go   Budget: reads that are repeated
package figures

// Package view writes the pages: templates, and the files that they need, all embedded. It knows nothing of boards but their types.
//
// # What it promises
//
//   - V1: names of members, boards and groups are text wherever they stand: they are escaped, control characters and those that change the reading direction
//     are shown as escapes, and no two names look the same.
//   - V2: a page needs no other host, no inline script and no inline style.
//   - V3: the part of a page that moves is written without who looks at it, so that one copy serves all.
//   - V4: every URL is relative to the folder of the pages: they work wherever they are mounted.
//
// # Where things are
//
//	view.go     Views: the pages, and writing them
//	links.go    URLs
//	format.go   numbers, times and names as text
//	assets.go   style sheets and scripts
//	templates/  the pages; layout.html is around each
//	assets/     style sheets and scripts; idiomorph (0BSD) and uPlot (MIT) are not ours: see assets/LICENSES
package view

// Package chart draws figures for a page: horizontal bars of several systems, and lines over a logarithmic axis. It draws with
// gonum.org/v1/plot, the plotting library that Go programs use, as SVG to be put into HTML: text as text, colours as variables
// of the page's style (--ink, --grid, --bar, --ours, --line-0 to --line-7), nothing loaded from elsewhere.
package chart

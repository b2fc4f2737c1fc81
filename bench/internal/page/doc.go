// Package page writes what was measured as one page: HTML that needs no other file and no network, with plots, or Markdown.
// What a reader wants to know first stands first: which targets are met, and where we lose.
package page

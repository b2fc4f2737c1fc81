// Package model is the oracle: the simplest implementation of a sorted set. A google/btree holds the entries in order, and a Go map
// holds each member's score and tie; ranks are found by walking. It is slow on purpose, so that it has no place for bugs. Tests compare
// every layer of zrank with it.
package model

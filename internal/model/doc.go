// Package model is the oracle: what a sorted set means, said as plainly as possible. A google/btree holds the entries in
// order and a Go map holds each member's score and tie; ranks are found by walking. It is slow on purpose, so that there is
// nothing in it to get wrong. Every layer of zrank is compared with it.
package model

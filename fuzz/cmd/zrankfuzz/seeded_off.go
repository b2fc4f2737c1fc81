//go:build !seeded

package main

const hasBugs = false

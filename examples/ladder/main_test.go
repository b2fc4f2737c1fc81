package main

import _ "time/tzdata" // for machines without zones

func Example() {
	main()
	// Output:
	// season s1, until 2026-07-01T00:00:00-03:00
	//   1. ana 1500
	//   2. caio 1490
	//   3. bia 1480
	// bia was number 3
	// season s2
	//   caio: ranked true, number 1, was 2, up 1
	//   duda: ranked true, number 2, was 0, up 0
	//   ana: ranked true, number 3, was 1, up -2
	//   bia: ranked false, number 0, was 3, up 0
}

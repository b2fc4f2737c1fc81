package main

import "os"

func Example() {
	dir, err := os.MkdirTemp("", "library")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chdir(dir); err != nil {
		panic(err)
	}
	main()
	// Output:
	// cyd: 20 points
	// bea: 15 points
	// ada is number 3 of 3
}

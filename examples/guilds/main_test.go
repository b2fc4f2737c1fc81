package main

func Example() {
	main()
	// Output:
	// guilds: points and members
	//   1 wolves 70 2
	//   2 lions 50 1
	// countries of two: average, members, points
	//   1 pt 40.000 2 80
	// ada has gone to the lions
	//   1 lions 90 2
	//   2 wolves 30 1
	//   in the lions: 1 cyd of all: 1
	//   in the lions: 2 ada of all: 2
	// cyd was banned
	//   1 lions 40 1
	//   2 wolves 30 1
	// the lions are no more
	//   1 wolves 30 1
	// ada is in a guild: false
}

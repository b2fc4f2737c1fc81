package main

func Example() {
	main()
	// Output:
	// to eve: fay has overtaken you, you are number 6
	// to ada: cy has overtaken you, you are number 2
	// to bob: cy has overtaken you, you are number 3
}

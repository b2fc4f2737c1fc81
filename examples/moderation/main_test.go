package main

func Example() {
	main()
	// Output:
	// the week is over
	//   1 mallory 900
	//   2 ada 40
	//   3 bea 30
	//   4 cyd 20
	//   5 bea@old.example 15
	//   award: mallory gold waiting
	//   award: ada silver waiting
	//   award: bea silver waiting
	// a ban would change: all all, rank 1, closed false, 0 others move
	// a ban would change: week 2026-W47, rank 1, closed true, 4 others move
	// banned: true
	//   1 ada 40
	//   2 bea 30
	//   3 cyd 20
	//   4 bea@old.example 15
	//   award: ada gold waiting
	//   award: bea silver waiting
	//   award: cyd silver waiting
	// one account
	//   1 bea 45
	//   2 ada 40
	//   3 cyd 20
	//   award: ada gold waiting
	//   award: bea silver waiting
	//   award: cyd silver waiting
	// erased from arena all all
	// erased from arena week 2026-W47
	// erased from arena award 1
	// 1 ban mallory  by ops: speed hack
	// 2 merge bea@old.example bea by support: two accounts of one player
	// 3 erase   by privacy: request 17
}

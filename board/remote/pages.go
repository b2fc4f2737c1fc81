package remote

import "iter"

// pages iterates over the elements of pages. fetch returns a page, and whether there are more behind it, and changes the arguments to those of the next one.
func pages[Args, E any](first Args, fetch func(args *Args) (page []E, more bool, err error)) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		args := first
		for more := true; more; {
			var page []E
			var err error
			if page, more, err = fetch(&args); err != nil {
				var none E
				yield(none, err)
				return
			}
			for _, x := range page {
				if !yield(x, nil) {
					return
				}
			}
		}
	}
}

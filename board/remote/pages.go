package remote

import "iter"

// pages iterates over the elements of pages. begin returns what fetches the next page, and tells whether there are more behind it.
func pages[A any](begin func() (fetch func() (page []A, more bool, err error))) iter.Seq2[A, error] {
	return func(yield func(A, error) bool) {
		fetch := begin()
		for more := true; more; {
			var page []A
			var err error
			if page, more, err = fetch(); err != nil {
				var none A
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

package remote

import "iter"

// pages iterates over the elements of pages. begin returns what fetches the next page, and tells whether there are more behind it.
func pages[A, B any](begin func() (fetch func() (page []A, more bool, err error)), convert func(A) (B, error)) iter.Seq2[B, error] {
	return func(yield func(B, error) bool) {
		fetch := begin()
		for more := true; more; {
			var page []A
			var err error
			if page, more, err = fetch(); err != nil {
				var none B
				yield(none, err)
				return
			}
			for _, x := range page {
				if element, err := convert(x); !yield(element, err) || err != nil {
					return
				}
			}
		}
	}
}

// certain makes a conversion one that never fails.
func certain[A, B any](convert func(A) B) func(A) (B, error) {
	return func(x A) (B, error) { return convert(x), nil }
}

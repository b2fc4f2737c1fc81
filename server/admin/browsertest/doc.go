// Package browsertest has the tests of the pages in a browser: Debian's Chromium, driven by chromedp, and axe-core, which npm installs. It has no code but
// tests, and is a module of its own, so that what they need never enters zrank's.
//
//	npm ci && go test .
//	go test -run Screenshots -update .   # writes the pictures of docs/img anew
//
// Without Chromium or axe-core the tests are skipped. BROWSER=all makes that a failure; CHROMIUM names another program than those that are looked for.
package browsertest

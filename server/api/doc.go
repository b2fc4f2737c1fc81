// Package api is boards over HTTP.
package api

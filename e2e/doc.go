// Package e2e tests the whole from outside: the page in a real browser, the native server and the
// edge runtime. It holds tests and their scaffolding only; `make e2e` builds what they need.
package e2e

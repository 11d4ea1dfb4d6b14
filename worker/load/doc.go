// Package load tries the native server as a class, as attackers and as a failing machine do. It holds tests only: each
// starts a server of its own on a free port of this machine's loopback address and asks nothing of any other, so that
// no load can leave the machine.
//
//	go test ./worker/load                                            # short and functional, part of make test
//	make load                                                        # for a minute and more, with figures
package load

//go:build unix

package sqlite

import (
	"fmt"
	"os"
	"syscall"
)

// give makes a file belong to whom another does, in whose place it comes: who restores a database as root must not take
// it from the user of the server. That its group cannot be the other's is no harm where the owner is.
func give(path string, like os.FileInfo) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	have, want := info.Sys().(*syscall.Stat_t), like.Sys().(*syscall.Stat_t)
	if have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	if err := os.Chown(path, int(want.Uid), int(want.Gid)); err != nil && have.Uid != want.Uid {
		return fmt.Errorf("%w (%s belongs to user %d: do this as that user, or as root)", err, like.Name(), want.Uid)
	}
	return nil
}

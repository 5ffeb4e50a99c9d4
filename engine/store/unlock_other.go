//go:build !unix || aix || solaris

package store

import "os"

// unlock does nothing where a lock falls with its descriptor, mapped or not.
func unlock(*os.File) {}

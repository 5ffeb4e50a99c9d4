package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableColour makes a terminal read escape sequences, and tells whether it
// does: a console of Windows has to be asked.
func enableColour(file *os.File) bool {
	handle := windows.Handle(file.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(handle, &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

// Command auto checks, renders and runs playbooks: folders of Markdown
// documents that a team keeps and that models, tools and people carry out.
package main

import (
	"os"

	"github.com/beonauto/auto/cli"
)

func main() {
	os.Exit(cli.Execute(os.Args[1:], cli.System()))
}

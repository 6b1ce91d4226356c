// Command kontor is the whole application: the web app and the tools around it.
package main

import (
	"os"

	"kontor.dev/kontor/internal/web"
)

func main() {
	text, err := web.Document("dev")
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(text)
}

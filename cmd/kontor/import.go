package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kontor.dev/kontor/internal/app"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/servers/paste"
)

func importCommand() *cobra.Command {
	var names []string
	var all bool
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Add the servers of another program's configuration",
		Long: "Read another program's configuration (JSON with or without comments, or TOML; - for standard input) and say which servers it has, " +
			"what Kontor has no place for, and what can't be added. With --add or --all they are saved, turned off: nothing is started.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			read, err := paste.Document(text)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			out := cmd.OutOrStdout()
			if !all && len(names) == 0 {
				printImport(out, read)
				fmt.Fprintln(out, "Nothing is added yet: --add NAME,… or --all does it.")
				return nil
			}
			return administered(cmd, func(ctx context.Context, admin app.Admin) error {
				done, err := admin.Import(ctx, app.ImportOrder{Text: text, Names: names, All: all})
				if err != nil {
					return err
				}
				return printImported(out, done)
			})
		},
	}
	cmd.Flags().StringSliceVar(&names, "add", nil, "save the servers of these names")
	cmd.Flags().BoolVar(&all, "all", false, "save all of them")
	cmd.MarkFlagsMutuallyExclusive("add", "all")
	return cmd
}

func readText(stdin io.Reader, file string) (string, error) {
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer f.Close()
		stdin = f
	}
	text, err := io.ReadAll(io.LimitReader(stdin, paste.MaxBytes+1))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", file, err)
	}
	return string(text), nil
}

func printImported(out io.Writer, done []app.Imported) error {
	refused := 0
	for _, one := range done {
		if one.Problem == "" {
			fmt.Fprintf(out, "%s is added, turned off.\n", one.Name)
			continue
		}
		refused++
		fmt.Fprintf(out, "%s is not added: %s\n", cmp.Or(one.Name, unnamed), oneLine(one.Problem))
	}
	if refused > 0 {
		return fmt.Errorf("%d of %d are not added", refused, len(done))
	}
	return nil
}

// unnamed stands for a server whose configuration gives it no name.
const unnamed = "(no name)"

// printImport says what a configuration holds, and of values only the names.
func printImport(out io.Writer, read paste.Result) {
	fmt.Fprintf(out, "Recognised as %s.\n", read.Format)
	for _, s := range read.Servers {
		about := slices.DeleteFunc(slices.Clone(read.Warnings), func(w paste.Warning) bool { return w.Server != s.Name })
		fmt.Fprintf(out, "\n%s: %s\n", cmp.Or(s.Name, unnamed), oneLine(reachedBy(s, about)))
		printNames(out, "environment", s.Env)
		printNames(out, "headers", s.Headers)
		for _, w := range about {
			fmt.Fprintf(out, "  note: %s\n", oneLine(w.Message))
		}
	}
	fmt.Fprintln(out)
	for _, s := range read.Skipped {
		fmt.Fprintf(out, "Left out: %s: %s\n", oneLine(s.Name), oneLine(s.Reason))
	}
	for _, w := range read.Warnings {
		if w.Server == "" {
			fmt.Fprintf(out, "Note: %s\n", oneLine(w.Message))
		}
	}
}

func printNames(out io.Writer, what string, values map[string]model.Value) {
	if len(values) > 0 {
		fmt.Fprintf(out, "  %s: %s\n", what, oneLine(strings.Join(slices.Sorted(maps.Keys(values)), ", ")))
	}
}

// reachedBy is the command or the address, without what may be a secret in it: what
// is printed ends up in more places than the file did.
func reachedBy(s model.Server, about []paste.Warning) string {
	if s.Transport == model.TransportStdio {
		if slices.ContainsFunc(about, func(w paste.Warning) bool { return w.Code == paste.WarnArgument }) {
			return s.Command + " …"
		}
		return strings.Join(append([]string{s.Command}, s.Args...), " ")
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return "an address"
	}
	u.User = nil
	if u.RawQuery != "" {
		u.RawQuery = "…"
	}
	return u.String()
}

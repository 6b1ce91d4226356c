package demo

import (
	"context"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// complete proposes values for the arguments of the prompt poem and of the greeting
// template (server/utilities/completion).
func complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	ref, argument := req.Params.Ref, req.Params.Argument
	values := []string{} // never null on the wire
	for _, candidate := range candidates(ref, argument.Name) {
		if strings.HasPrefix(strings.ToLower(candidate), strings.ToLower(argument.Value)) {
			values = append(values, candidate)
		}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: len(values)}}, nil
}

func candidates(ref *mcp.CompleteReference, argument string) []string {
	switch {
	case ref.Type == "ref/resource" && ref.URI == greetingURI && argument == "name":
		return []string{"Ada", "Alan", "Annie", "Barbara", "Donald", "Edsger", "Grace", "Katherine", "Ken", "Margaret"}
	case ref.Type == "ref/prompt" && ref.Name == poemPrompt && argument == "topic":
		return []string{"autumn", "a desk", "a lamp", "rain", "the sea"}
	case ref.Type == "ref/prompt" && ref.Name == poemPrompt && argument == "form":
		return []string{"ballad", "haiku", "limerick", "sonnet"}
	}
	return nil
}

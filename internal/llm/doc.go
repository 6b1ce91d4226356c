// Package llm is how Kontor speaks to language models: one Provider interface
// with one streaming method, the words of a conversation, and what every adapter
// shares. It owns what goes over the wire to a model and what comes back, whole
// or not at all.
//
// It refuses to know: which tools exist and who may call them, what a turn is,
// how much fits into a context, where keys are kept. A provider is given its key
// and address once, sends what it is told, and runs nothing.
//
// The adapters are in openai, anthropic and scripted; exchange is what the two
// HTTP ones have in common; toolschema bends a tool's schema to what a provider
// takes; llmtest is the test that every adapter passes.
package llm

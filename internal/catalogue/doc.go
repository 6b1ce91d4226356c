// Package catalogue knows which tools, resources, templates and prompts exist:
// what each configured server last listed, under which names they are called,
// what was cut or left out, and which tools are no longer what the person knows
// them as. It keeps the lists in memory, while a server is away as well, until the
// server is deleted.
//
// It refuses to know connections: whoever lists a server hands the raw entries
// in, and the definitions stay the bytes that the server sent.
package catalogue

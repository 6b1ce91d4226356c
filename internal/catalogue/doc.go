// Package catalogue knows which tools, resources, templates and prompts exist:
// what each configured server last listed, under which names they are called,
// and what was cut or left out. It keeps them in memory, while a server is away
// as well, until the server is deleted.
//
// It refuses to know connections: whoever lists a server hands the raw entries
// in, and the definitions stay the bytes that the server sent.
package catalogue

// A server on the TypeScript SDK v2, which speaks both eras.
//
//   node sdk2.mjs               stdio
//   node sdk2.mjs http          HTTP on a free loopback port, said on stdout
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, acceptedContent, createMcpHandler, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const numbers = fromJsonSchema({
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
});
const sum = fromJsonSchema({ type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] });
const order = {
  type: 'object',
  properties: {
    dish: { type: 'string', title: 'Dish', oneOf: [{ const: 'soup', title: 'Soup' }, { const: 'stew', title: 'Stew' }] },
    portions: { type: 'integer', minimum: 1, maximum: 9, default: 2 },
  },
  required: ['dish'],
};

function make() {
  const server = new McpServer({ name: 'sdk2', version: '1.2.3' }, { instructions: 'Order before noon.' });
  server.registerTool('add', { description: 'Adds.', inputSchema: numbers, outputSchema: sum }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
    structuredContent: { sum: a + b },
  }));
  server.registerTool('order', { description: 'Asks what to cook.' }, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'order');
    if (answer) return { content: [{ type: 'text', text: `${answer.portions} × ${answer.dish}` }] };
    if (context.mcpReq.inputResponses) return { content: [{ type: 'text', text: 'Nothing, then.' }] };
    return inputRequired({
      inputRequests: { order: inputRequired.elicit({ message: 'What shall it be?', requestedSchema: order }) },
    });
  });
  server.registerTool('break', { description: 'Fails.' }, () => {
    throw new Error('out of gas');
  });
  server.registerPrompt('greeting', { description: 'Greets.' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Say hello.' } }],
  }));
  server.registerResource('menu', 'menu://today', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Soup, stew.' }],
  }));
  return server;
}

if (process.argv[2] === 'http') {
  const http = createServer(toNodeHandler(createMcpHandler(make)));
  http.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${http.address().port}/`));
} else {
  serveStdio(make);
}

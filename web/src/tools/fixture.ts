import type { Tool } from '../lib/wire'

/** A tool for tests. */
export function aTool(over: Partial<Tool> = {}): Tool {
  const { server = 'demo', tool = 'echo' } = over
  return {
    name: `mcp__${server}__${tool}`,
    server,
    tool,
    title: '',
    description: '',
    input_schema: { type: 'object' },
    output_schema: null,
    annotations: null,
    claims: [],
    icons: null,
    enabled: true,
    app_only: false,
    task_support: '',
    tokens: 100,
    changed_at: null,
    listed_at: null,
    saved: false,
    warnings: [],
    ...over,
  }
}

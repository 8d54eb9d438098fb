import { type Body, type NamedRequest, toNamedRequest, createText, createUserMessage } from './body.ts';

const ask = [createUserMessage('Name three boats.')];
const set = (name: string, body: Body): NamedRequest => toNamedRequest(`setting: ${name}`, ask, body);
const schema = {
  type: 'object',
  properties: { names: { type: 'array', items: { type: 'string' } }, count: { type: 'integer' } },
  required: ['names'],
  additionalProperties: false,
};
const tool = { name: 'ping', input_schema: { type: 'object' } };

/** Fields of the body besides messages, system text and tools. */
export const settings: readonly NamedRequest[] = [
  set('thinking enabled', { thinking: { type: 'enabled', budget_tokens: 1024 } }),
  set('thinking enabled, with tools', {
    thinking: { type: 'enabled', budget_tokens: 16_000, display: 'summarized' },
    tools: [tool],
  }),
  set('thinking enabled, omitted', { thinking: { type: 'enabled', budget_tokens: 4096, display: 'omitted' } }),
  set('thinking enabled, with updates', {
    thinking: { type: 'enabled', budget_tokens: 4096, display: 'updates', block_binding: null },
  }),
  ...['error', 'drop_block', null].map((prefix_mismatch_behavior) =>
    set(`thinking bound: ${prefix_mismatch_behavior}`, {
      thinking: { type: 'enabled', budget_tokens: 4096, block_binding: { prefix_mismatch_behavior } },
    }),
  ),
  set('thinking adaptive and bound', { thinking: { type: 'adaptive', block_binding: {} } }),
  set('thinking disabled', { thinking: { type: 'disabled' } }),
  set('thinking adaptive', { thinking: { type: 'adaptive' } }),
  set('thinking adaptive, shown as usual', { thinking: { type: 'adaptive', display: null }, tools: [tool] }),
  set('thinking between tools', { thinking: { type: 'between_tools' }, tools: [tool] }),
  ...['low', 'medium', 'high', 'xhigh', 'max', null].map((effort) =>
    set(`effort ${effort}`, { output_config: { effort } }),
  ),
  set('an output schema', { output_config: { format: { type: 'json_schema', schema } } }),
  set('an output schema and tools', {
    output_config: { format: { type: 'json_schema', schema }, effort: 'low' },
    tools: [tool],
    system: 'Be brief.',
  }),
  set('no output schema', { output_config: { format: null, task_budget: null } }),
  set('an empty output schema', { output_config: { format: { type: 'json_schema', schema: {} } } }),
  set('an output schema at its older place', { output_format: { type: 'json_schema', schema } }),
  set('no output schema at its older place', { output_format: null }),
  set('a budget for the task', { output_config: { task_budget: { type: 'tokens', total: 50_000 } } }),
  set('what is left of a budget', {
    output_config: { task_budget: { type: 'tokens', total: 50_000, remaining: 1234 } },
  }),
  set('nothing said of what is left', {
    output_config: { task_budget: { type: 'tokens', total: 50_000, remaining: null } },
  }),
  set('the whole request is cached', { cache_control: { type: 'ephemeral' } }),
  ...['5m', '1h'].map((ttl) => set(`cached for ${ttl}`, { cache_control: { type: 'ephemeral', ttl } })),
  set('not cached', { cache_control: null }),
  toNamedRequest('cached blocks', [
    createUserMessage([
      createText('Long.', { cache_control: { type: 'ephemeral', ttl: '1h' } }),
      createText('Short.', { cache_control: null }),
    ]),
  ]),
  set('old tool uses are cleared', {
    context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 3 } }] },
  }),
  set('context management without edits', { context_management: {} }),
  set('no context management', { context_management: null }),
  ...['standard', 'fast', null].map((speed) => set(`speed ${speed}`, { speed })),
  ...[[], null].map((servers) => set(`servers ${JSON.stringify(servers)}`, { mcp_servers: servers })),
  ...[{ enabled: true }, null].map((compaction) => set(`compaction ${JSON.stringify(compaction)}`, { compaction })),
  ...[{ plan: 'shared' }, null].map((policy) =>
    set(`billing policy ${JSON.stringify(policy)}`, { billing_policy: policy }),
  ),
];

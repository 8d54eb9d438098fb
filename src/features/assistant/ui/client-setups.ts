/** Placeholder for the member's token. */
export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

const formatJson = (value: object): string => JSON.stringify(value, null, 2);

/**
 * Returns the setup texts of three common MCP clients, each with its target (`where`) and its `text`. `url` is the
 * address of the MCP server. `token` is a new token or `TOKEN_PLACEHOLDER`. The settings page shows the texts and a
 * test runs them.
 */
export const getClientSetups = (url: string, token: string) => [
  {
    name: 'Claude Code',
    where: 'Run this in a terminal:',
    text: `claude mcp add --scope user --transport http tally ${url} --header "Authorization: Bearer ${token}"`,
  },
  {
    name: 'VS Code',
    where: 'Run “MCP: Open User Configuration” and add this. VS Code asks for the token and stores it:',
    text: formatJson({
      inputs: [{ type: 'promptString', id: 'tally-token', description: 'Token for Tally', password: true }],
      servers: { tally: { type: 'http', url, headers: { Authorization: 'Bearer ${input:tally-token}' } } },
    }),
  },
  {
    name: 'Cursor',
    where: 'Add this to ~/.cursor/mcp.json:',
    text: formatJson({ mcpServers: { tally: { url, headers: { Authorization: `Bearer ${token}` } } } }),
  },
];

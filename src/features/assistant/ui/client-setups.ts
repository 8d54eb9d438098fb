/** Stands where the member's token goes. */
export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN';

const formatJson = (value: object): string => JSON.stringify(value, null, 2);

/**
 * How three common clients are told of this service (`where` the `text` goes), as it stands on the settings page and as
 * a test runs it. `url`: the address of the MCP server; `token`: one that was just made, or `TOKEN_PLACEHOLDER`.
 */
export const getClientSetups = (url: string, token: string) => [
  {
    name: 'Claude Code',
    where: 'Run this in a terminal:',
    text: `claude mcp add --scope user --transport http tally ${url} --header "Authorization: Bearer ${token}"`,
  },
  {
    name: 'VS Code',
    where: 'Run “MCP: Open User Configuration” and put this in; VS Code asks for the token and keeps it:',
    text: formatJson({
      inputs: [{ type: 'promptString', id: 'tally-token', description: 'Token for Tally', password: true }],
      servers: { tally: { type: 'http', url, headers: { Authorization: 'Bearer ${input:tally-token}' } } },
    }),
  },
  {
    name: 'Cursor',
    where: 'Put this into ~/.cursor/mcp.json:',
    text: formatJson({ mcpServers: { tally: { url, headers: { Authorization: `Bearer ${token}` } } } }),
  },
];

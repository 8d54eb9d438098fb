import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { readVersion } from '../../../platform/http/version.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { loadMcpHandler, type McpCaller, getRequiredScope } from './mcp-server.ts';
import type { TokenHolder } from './queries.ts';
import { insufficientScopeError, type TokenGuard } from './token-guard.ts';

/** Maximum size of one message in bytes: an SQL statement and the JSON of the protocol around it. */
const BODY_LIMIT = 64 * 1024;

interface McpRouteDependencies {
  tokenGuard: TokenGuard;
  /** Returns the tools' data access in the name of a token's holder. */
  getToolContext: (holder: TokenHolder) => ToolContext;
}

/**
 * Adds `POST /mcp`. It answers one message of the Model Context Protocol without a session and rejects other methods.
 */
export function addMcpRoute(app: HttpApp, { tokenGuard, getToolContext }: McpRouteDependencies): void {
  const version = readVersion();
  const route = {
    method: 'POST',
    bodyLimit: BODY_LIMIT,
    config: { guard: tokenGuard.guard },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const holder = tokenGuard.getHolder(request);
      if (Array.isArray(request.body))
        throw new AppError('INVALID_REQUEST', { issues: [{ path: '', message: 'send one message, not a batch' }] });
      const toolName = getCalledToolName(request.body);
      const scope = toolName === undefined ? undefined : getRequiredScope(toolName);
      if (scope !== undefined && !holder.scopes.includes(scope)) throw insufficientScopeError(scope);
      const caller: McpCaller = { scopes: holder.scopes, context: getToolContext(holder) };
      const handle = await loadMcpHandler(version, (error) => request.log.info({ err: error }, 'MCP request rejected'));
      const response = await handle(toWebRequest(request, reply), {
        parsedBody: request.body,
        authInfo: { token: '', clientId: holder.id, scopes: [...holder.scopes], extra: { caller } },
      });
      return sendResponse(response, reply);
    },
  };
  // Some clients append a slash to the configured address.
  for (const url of ['/mcp', '/mcp/']) app.route({ ...route, url });
}

const getMethod = (body: unknown): unknown => ((body ?? {}) as { method?: unknown }).method;

/** Returns the tool that a message calls. */
function getCalledToolName(body: unknown): string | undefined {
  const { params } = (body ?? {}) as { params?: { name?: unknown } | null };
  return getMethod(body) === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
}

/** Returns whether the `accept` header allows JSON. A missing header allows everything (RFC 9110, section 12.5.1). */
const acceptsJson = (accept = '*/*'): boolean => /\*\/\*|application\/(\*|json)/i.test(accept);

/**
 * Builds the request for the protocol library, without credentials and without the body, which is already parsed. It is
 * aborted when the client disconnects. The library checks `accept` and `mcp-protocol-version` too strictly, so both are
 * adapted.
 */
function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const clientClosed = new AbortController();
  reply.raw.once('close', () => clientClosed.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !/^(authorization|cookie|host|connection|content-length)$/.test(name))
      headers.set(name, value);
  if (acceptsJson(request.headers.accept)) headers.set('accept', 'application/json, text/event-stream');
  // The body of `initialize` requests a version, and the response names the version in use.
  if (getMethod(request.body) === 'initialize') headers.delete('mcp-protocol-version');
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal: clientClosed.signal });
}

function sendResponse(response: Response, reply: FastifyReply): FastifyReply {
  reply.code(response.status);
  for (const [name, value] of response.headers) reply.header(name, value);
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
  return response.body ? reply.send(Readable.fromWeb(response.body)) : reply.send();
}

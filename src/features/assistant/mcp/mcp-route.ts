import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../errors.ts';
import type { HttpApp } from '../../../platform/http/app-type.ts';
import { readVersion } from '../../../platform/http/version.ts';
import type { ToolContext } from '../tools/tool-context.ts';
import { loadMcpHandler, type McpCaller, scopeOf } from './mcp-server.ts';
import type { TokenHolder } from './queries.ts';
import { outOfScope, type TokenGuard } from './token-guard.ts';

/** Bytes that one message may have: an SQL statement and what the protocol puts around it. */
const BODY_LIMIT = 64 * 1024;

interface McpRouteDependencies {
  access: TokenGuard;
  /** What the tools read with, in the name of a token's holder. */
  contextOf: (holder: TokenHolder) => ToolContext;
}

/** `POST /mcp`: one message of the Model Context Protocol, answered without a session; other methods are refused. */
export function addMcpRoute(app: HttpApp, { access, contextOf }: McpRouteDependencies): void {
  const version = readVersion();
  const route = {
    method: 'POST',
    bodyLimit: BODY_LIMIT,
    config: { guard: access.guard },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      const holder = access.holderOf(request);
      if (Array.isArray(request.body))
        throw new Failure('INVALID_REQUEST', { issues: [{ path: '', message: 'send one message, not a batch' }] });
      const named = toolNamedIn(request.body);
      const scope = named === undefined ? undefined : scopeOf(named);
      if (scope !== undefined && !holder.scopes.includes(scope)) throw outOfScope(scope);
      const caller: McpCaller = { scopes: holder.scopes, context: contextOf(holder) };
      const handle = await loadMcpHandler(version, (error) => request.log.info({ err: error }, 'MCP request refused'));
      const answer = await handle(asWebRequest(request, reply), {
        parsedBody: request.body,
        authInfo: { token: '', clientId: holder.id, scopes: [...holder.scopes], extra: { caller } },
      });
      return relay(answer, reply);
    },
  };
  // Some clients append a slash to the configured address.
  for (const url of ['/mcp', '/mcp/']) app.route({ ...route, url });
}

const methodOf = (body: unknown): unknown => ((body ?? {}) as { method?: unknown }).method;

/** The tool that a message calls. */
function toolNamedIn(body: unknown): string | undefined {
  const { params } = (body ?? {}) as { params?: { name?: unknown } | null };
  return methodOf(body) === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined;
}

/** Whether the `accept` header allows JSON; without the header everything is allowed (RFC 9110, section 12.5.1). */
const acceptsJson = (accept = '*/*'): boolean => /\*\/\*|application\/(\*|json)/i.test(accept);

/**
 * The request for the protocol library, without credentials and without the body, which is already parsed. It is aborted
 * when the client disconnects. The library checks `accept` and `mcp-protocol-version` too strictly, so both are adapted.
 */
function asWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (typeof value === 'string' && !/^(authorization|cookie|host|connection|content-length)$/.test(name))
      headers.set(name, value);
  if (acceptsJson(request.headers.accept)) headers.set('accept', 'application/json, text/event-stream');
  // The body of `initialize` asks for a version, and the answer names the one in use.
  if (methodOf(request.body) === 'initialize') headers.delete('mcp-protocol-version');
  return new Request('http://localhost/mcp', { method: 'POST', headers, signal: gone.signal });
}

function relay(answer: Response, reply: FastifyReply): FastifyReply {
  reply.code(answer.status);
  for (const [name, value] of answer.headers) reply.header(name, value);
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no');
  return answer.body ? reply.send(Readable.fromWeb(answer.body)) : reply.send();
}

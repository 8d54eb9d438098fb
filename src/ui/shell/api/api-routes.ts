import type { input, output, ZodType } from 'zod';
import type { routes as analytics } from '../../../platform/analytics/contract.ts';
import type { routes as assistant } from '../../../features/assistant/contract.ts';
import type { routes as assistantMcp } from '../../../features/assistant/mcp/contract.ts';
import type { revenueRoutes as billingRevenue, routes as billing } from '../../../features/billing/contract.ts';
import type { routes as connections } from '../../../features/connections/contract.ts';
import type { routes as dashboard } from '../../../features/portfolio/dashboard/contract.ts';
import type { routes as demoAccess } from '../../../features/demo-access/contract.ts';
import type { invalidRequest, routes as http } from '../../../platform/http/contract.ts';
import type { routes as identity } from '../../../platform/identity/contract.ts';
import type { routes as investments } from '../../../features/portfolio/contract.ts';
import type { routes as referrals } from '../../../features/referrals/contract.ts';
import type { routes as search } from '../../../features/search/contract.ts';
import type { routes as tokenCounting } from '../../../features/token-api/contract.ts';
import type { routes as watchlist } from '../../../features/watchlist/contract.ts';

// Types alone: a route is named by its method and path, so that no contract, and no zod, comes into the browser.

type RouteMaps =
  | typeof analytics
  | typeof assistant
  | typeof assistantMcp
  | typeof billingRevenue
  | typeof billing
  | typeof connections
  | typeof dashboard
  | typeof demoAccess
  | typeof http
  | typeof identity
  | typeof investments
  | typeof referrals
  | typeof search
  | typeof tokenCounting
  | typeof watchlist;
type RouteInMap<Map> = Map extends unknown ? Map[keyof Map] : never;
type RoutesByEndpoint<R> = R extends { endpoint: infer Name extends string } ? { [N in Name]: R } : never;
type MergeUnion<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Routes = MergeUnion<RoutesByEndpoint<RouteInMap<RouteMaps>>>;

/** A route of the contracts, such as `GET /api/watchlist/ticker/{symbol}`. */
export type RouteName = keyof Routes;

type Schema<Name extends RouteName, Part extends string> = Routes[Name] extends { [P in Part]: infer S extends ZodType }
  ? S
  : never;
type RequiredPart<S extends ZodType, Part extends string> = [S] extends [never] ? unknown : { [P in Part]: input<S> };

/** What is sent: what the route's contract takes, and how. */
type RequestParts<Name extends RouteName> = RequiredPart<Schema<Name, 'params'>, 'params'> &
  RequiredPart<Schema<Name, 'body'>, 'body'> & {
    query?: [Schema<Name, 'query'>] extends [never] ? never : Partial<output<Schema<Name, 'query'>>>;
    signal?: AbortSignal | undefined;
    /** Sent to its end also when the page goes away meanwhile. */
    keepalive?: boolean;
    /** The answer may take as long as it likes: `signal` alone ends it. */
    streams?: boolean;
  };

/** Left out where a route needs nothing. */
export type RouteArguments<Name extends RouteName> =
  object extends RequestParts<Name> ? [parts?: RequestParts<Name>] : [parts: RequestParts<Name>];

/** Bodies of the route's refusals that say more than their code and message. */
type RouteErrors<Name extends RouteName> =
  | output<typeof invalidRequest>
  | (Routes[Name] extends { errors: readonly (infer R)[] } ? output<Extract<R, ZodType>> : never);

/** Codes of such refusals. */
export type RouteErrorCode<Name extends RouteName> = Extract<RouteErrors<Name>, { code: string }>['code'];

/** A refusal's body, by the route and the code. */
export type RouteErrorBody<Name extends RouteName, Code extends string> = Extract<RouteErrors<Name>, { code: Code }>;

type SuccessStatus = 200 | 201 | 202 | 204;

/** What a route answers where it succeeds, as its contract says. */
export type RouteResponse<Name extends RouteName> = Routes[Name] extends { responses: infer Responses }
  ? {
      [S in keyof Responses & SuccessStatus]: Responses[S] extends ZodType ? output<Responses[S]> : unknown;
    }[keyof Responses & SuccessStatus]
  : never;

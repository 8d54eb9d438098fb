import type { input, output, ZodType } from 'zod';
import type { routes as alerts } from '../../../features/alerts/contract.ts';
import type { routes as analytics } from '../../../platform/analytics/contract.ts';
import type { routes as assistant } from '../../../features/assistant/contract.ts';
import type { routes as assistantMcp } from '../../../features/assistant/mcp/contract.ts';
import type { revenueRoutes as billingRevenue, routes as billing } from '../../../features/billing/contract.ts';
import type { routes as connections } from '../../../features/connections/contract.ts';
import type { routes as dashboard } from '../../../features/portfolio/dashboard/contract.ts';
import type { routes as demoAccess } from '../../../features/demo-access/contract.ts';
import type { invalidRequest, routes as http } from '../../../platform/http/contract.ts';
import type { routes as identity } from '../../../platform/identity/contract.ts';
import type { routes as holdingsImport } from '../../../features/portfolio/import/contract.ts';
import type { routes as accounts } from '../../../features/portfolio/accounts/contract.ts';
import type { routes as holdings } from '../../../features/portfolio/holdings/contract.ts';
import type { routes as netWorth } from '../../../features/portfolio/net-worth/contract.ts';
import type { routes as referrals } from '../../../features/referrals/contract.ts';
import type { routes as search } from '../../../features/search/contract.ts';
import type { routes as securities } from '../../../features/securities/contract.ts';
import type { routes as tokenCounting } from '../../../features/token-api/contract.ts';
import type { routes as watchlist } from '../../../features/watchlist/contract.ts';

// Type-only imports: a route is identified by method and path, so that neither contracts nor zod reach the browser.

type RouteMaps =
  | typeof accounts
  | typeof alerts
  | typeof analytics
  | typeof assistant
  | typeof assistantMcp
  | typeof billingRevenue
  | typeof billing
  | typeof connections
  | typeof dashboard
  | typeof demoAccess
  | typeof holdings
  | typeof holdingsImport
  | typeof http
  | typeof identity
  | typeof netWorth
  | typeof referrals
  | typeof search
  | typeof securities
  | typeof tokenCounting
  | typeof watchlist;
type RouteInMap<Map> = Map extends unknown ? Map[keyof Map] : never;
type RoutesByEndpoint<R> = R extends { endpoint: infer Name extends string } ? { [N in Name]: R } : never;
type MergeUnion<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Routes = MergeUnion<RoutesByEndpoint<RouteInMap<RouteMaps>>>;

/** Route of the contracts, such as `GET /api/watchlist/ticker/{symbol}`. */
export type RouteName = keyof Routes;

type Schema<Name extends RouteName, Part extends string> = Routes[Name] extends { [P in Part]: infer S extends ZodType }
  ? S
  : never;
type RequiredPart<S extends ZodType, Part extends string> = [S] extends [never] ? unknown : { [P in Part]: input<S> };

/** Parts of a request, as the route's contract requires, and options of the transfer. */
type RequestParts<Name extends RouteName> = RequiredPart<Schema<Name, 'params'>, 'params'> &
  RequiredPart<Schema<Name, 'body'>, 'body'> & {
    query?: [Schema<Name, 'query'>] extends [never] ? never : Partial<output<Schema<Name, 'query'>>>;
    signal?: AbortSignal | undefined;
    /** Completes the request even if the page is closed. */
    keepalive?: boolean;
    /** Disables the timeout. Only `signal` ends the request. */
    streams?: boolean;
  };

/** Omitted if a route has no parts. */
export type RouteArguments<Name extends RouteName> =
  object extends RequestParts<Name> ? [parts?: RequestParts<Name>] : [parts: RequestParts<Name>];

/** Error bodies of the route with more fields than code and message. */
type RouteErrors<Name extends RouteName> =
  | output<typeof invalidRequest>
  | (Routes[Name] extends { errors: readonly (infer R)[] } ? output<Extract<R, ZodType>> : never);

/** Codes of these error bodies. */
export type RouteErrorCode<Name extends RouteName> = Extract<RouteErrors<Name>, { code: string }>['code'];

/** Error body of a route and a code. */
export type RouteErrorBody<Name extends RouteName, Code extends string> = Extract<RouteErrors<Name>, { code: Code }>;

type SuccessStatus = 200 | 201 | 202 | 204;

/** Success response of a route, as its contract states. */
export type RouteResponse<Name extends RouteName> = Routes[Name] extends { responses: infer Responses }
  ? {
      [S in keyof Responses & SuccessStatus]: Responses[S] extends ZodType ? output<Responses[S]> : unknown;
    }[keyof Responses & SuccessStatus]
  : never;

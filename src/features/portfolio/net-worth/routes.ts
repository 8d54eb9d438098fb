import type { HttpApp } from '../../../platform/http/app-type.ts';
import { route } from '../../../platform/http/route.ts';
import { sendCsv } from '../../../platform/http/send-csv.ts';
import { type MemberAccess, PRIVATE_CACHE_CONTROL } from '../../../platform/identity/member-access.ts';
import { MAX_HISTORY_DAYS, routes } from './contract.ts';
import { writeNetWorthCsv } from './export-net-worth.ts';
import { readBaseCurrency, writeBaseCurrency } from './queries.ts';
import type { ConversionContext } from './read-conversion.ts';
import { readNetWorthSince } from './read-net-worth.ts';

interface NetWorthDependencies extends MemberAccess, ConversionContext {}

/** Adds the routes of net worth, now and by day, and of the base currency. */
export function addNetWorthRoutes(app: HttpApp, deps: NetWorthDependencies): void {
  route(app, routes.getNetWorth, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const { days, explain } = request.query;
    const sql = deps.asMember(member);
    const netWorth = await readNetWorthSince(deps, sql, member.idpId, { days, isExplained: explain === '1' });
    reply.headers(PRIVATE_CACHE_CONTROL);
    return netWorth;
  });

  route(app, routes.exportNetWorth, async (request, reply) => {
    const member = deps.guards.getMember(request);
    const { base } = await readNetWorthSince(deps, deps.asMember(member), member.idpId, { days: MAX_HISTORY_DAYS });
    const day = deps.now().toISOString().slice(0, 10);
    return sendCsv(reply, { name: 'net-worth', day, csv: writeNetWorthCsv(base) });
  });

  route(app, routes.getPortfolioSettings, async (request, reply) => {
    const currency = await readBaseCurrency(deps.asMember(deps.guards.getMember(request)));
    reply.headers(PRIVATE_CACHE_CONTROL);
    return { base_currency: currency ?? null };
  });

  route(app, routes.changePortfolioSettings, async (request) => {
    const member = deps.guards.getMember(request);
    await writeBaseCurrency(deps.asMember(member), member.idpId, request.body.base_currency);
    return { base_currency: request.body.base_currency };
  });
}

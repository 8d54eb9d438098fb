import { type Command, exitCode, type Io, readArguments, usage, usageOfVerbs, type With } from '../command-line.ts';
import type { Database } from '../database/connect.ts';
import type { ServiceSql } from '../database/roles.ts';
import { findMembers } from '../identity/queries.ts';
import { tier as tierShape } from './contract.ts';
import { deleteGrant, selectTiersOf, upsertGrant } from './queries.ts';

/** `tally members show|set-tier`: which tier a member has and why, and an operator's grant of another. */
export const membersCommand = (withDatabase: With<Database>): Command => ({
  name: 'members',
  summary: 'Show a member’s tier, and grant one',
  help: `tally members show EMAIL|ID [--json]
tally members set-tier EMAIL|ID free|pro|max

show      shows the tier that counts, what is paid for and what an operator has granted.
set-tier  grants a tier beside what is paid for; the higher one counts, at once. No payment overwrites a
          grant, and it is no revenue. "free" takes the grant back and leaves a paid plan as it is.

Exit codes: 0 done, 1 no such member, or several with this address, 2 usage, 3 the database cannot be reached now.`,
  async run(argv, io) {
    const [verb, ...rest] = argv;
    if (verb !== 'show' && verb !== 'set-tier') return usageOfVerbs(io, 'members', verb, 'show or set-tier');
    const parsed = readArguments(rest, verb === 'show' ? { json: { type: 'boolean' } } : {});
    const [who, wanted, ...others] = parsed?.positionals ?? [];
    if (verb === 'show') {
      if (!parsed || who === undefined || wanted !== undefined)
        return usage(io, 'members', 'show needs one address or id, and takes --json.');
      const json = 'json' in parsed.values && parsed.values.json === true;
      return withDatabase(({ service }) => withMember(service, who, io, (idpId) => show(service, idpId, json, io)));
    }
    const tier = tierShape.safeParse(wanted);
    if (who === undefined || others.length > 0 || !tier.success)
      return usage(io, 'members', 'set-tier needs one address or id, and free, pro or max.');
    return withDatabase(({ service }) =>
      withMember(service, who, io, async (idpId) => {
        await (tier.data === 'free' ? deleteGrant(service, idpId) : upsertGrant(service, idpId, tier.data));
        return show(service, idpId, false, io);
      }),
    );
  },
});

async function withMember(sql: ServiceSql, who: string, io: Io, work: (idpId: string) => Promise<number>) {
  const [found, ...others] = await findMembers(sql, who);
  if (found !== undefined && others.length === 0) return work(found.idp_id);
  const ids = [found, ...others].map((member) => member?.idp_id).join(', ');
  io.err(
    found === undefined
      ? `tally members: there is no member ${who}.\n`
      : `tally members: several members have this address; name one by its id: ${ids}.\n`,
  );
  return exitCode.refused;
}

async function show(sql: ServiceSql, idpId: string, json: boolean, io: Io): Promise<number> {
  const tiers = await selectTiersOf(sql, idpId);
  if (json) {
    io.out(`${JSON.stringify({ idp_id: idpId, ...tiers })}\n`);
    return exitCode.done;
  }
  const { tier, subscription_tier: paid, subscription_status: status, granted_tier: granted } = tiers;
  io.out(
    `${idpId} is on ${tier}: ${paid ? `paid ${paid} (${status})` : 'nothing paid'}, granted ${granted ?? 'nothing'}.\n`,
  );
  return exitCode.done;
}

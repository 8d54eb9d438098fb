import type { Rights } from './rights.ts';

/** Tables that every member may read: limits of the plans, and the shared catalog. */
const SHARED = new Set([
  'table public.plans',
  'table public.tracked_tickers_latest',
  'table public.listing_copies',
  'view public.listings',
  ...['prices', 'securities'].map((name) => `view assistant.${name}`),
]);
/** Views with their owner's rights over a table without policies. Only a member's own SQL may read them. */
const VIEWS_OVER_PRIVATE_TABLES = new Set(['view assistant.closes']);
/** Functions with their owner's rights, which clients may not call. */
const OWNERS_FUNCTIONS = new Set(['function public.set_referral_link(p_idp_id text, p_link text)']);
/** The effect of a policy that a grant needs. */
const EFFECTS = { select: 'sees', insert: "inserts as A's", update: 'updates', delete: 'deletes' } as const;
const CLIENT = /\b(PUBLIC|anon|authenticated|assistant)\b/;

/**
 * Returns every violated rule, as `object: rule`. The rules hold for every migration, so renewing the table of rights
 * does not change them.
 */
export const findBrokenRules = (rights: Rights): string[] =>
  [...rights].flatMap(([object, lines]) =>
    findBroken(
      object,
      lines.map((line) => line.trim()),
    ).map((rule) => `${object}: ${rule}`),
  );

function findBroken(object: string, lines: readonly string[]): string[] {
  const [kind] = object.split(' ');
  const broken: string[] = [];
  const expect = (holds: boolean, rule: string): void => {
    if (!holds) broken.push(rule);
  };
  if (kind === 'table' || kind === 'view') return findBrokenOfTable(object, lines);
  if (kind === 'function') {
    const settings = object === 'function public.member_id()' ? 'no settings' : 'search_path=""';
    const owner = OWNERS_FUNCTIONS.has(object) ? 'owner' : 'caller';
    expect(
      lines[0] === `runs with the rights of its ${owner}, ${settings}`,
      `runs with its ${owner}'s rights and no path`,
    );
    expect(owner === 'caller' || !CLIENT.test(lines[1] ?? ''), 'clients may not call it');
    expect(object === 'function auth.jwt()' || !/\banon\b/.test(lines[1] ?? ''), 'visitors may not call it');
  } else if (/^role (anon|authenticated|assistant)$/.test(object))
    expect(lines.join() === 'may become nobody,begins with nothing set', 'a client role has no attributes');
  else if (kind === 'schema') {
    expect(!/(anon|authenticated|assistant) create/.test(lines.join()), 'clients create nothing');
    const others = lines.join().replaceAll(object === 'schema assistant' ? 'assistant usage' : /^$/g, '');
    expect(/ (public|auth)$/.test(object) || !CLIENT.test(others), 'clients may not use it');
  } else if (kind === 'sequence') expect(!CLIENT.test(lines.join()), 'clients may not use it');
  else if (kind === 'queue') {
    const isOff = /OFF/.test(lines.join()) && object !== 'queue graphile_worker.migrations';
    expect(!isOff && !/OWNER/.test(lines.join()) && !CLIENT.test(lines.join()), 'for the service alone');
  } else if (object === 'database') expect(lines.join() === 'PUBLIC: connect', 'clients only connect');
  else if (/^(parameters of the server|rights that may be passed on)$/.test(object))
    expect(lines.join() === '-', 'none');
  return broken;
}

function findBrokenOfTable(object: string, lines: readonly string[]): string[] {
  const broken: string[] = [];
  const expect = (holds: boolean, rule: string): void => {
    if (!holds) broken.push(rule);
  };
  const find = (who: string): string => lines.find((line) => line.startsWith(`${who}: `))?.slice(who.length + 2) ?? '';
  if (VIEWS_OVER_PRIVATE_TABLES.has(object)) {
    const granted = 'anon: -|authenticated: -|service_role: -|assistant: select';
    expect(lines.slice(1, 5).join('|') === granted, "only a member's own SQL may read it");
    return broken;
  }
  const others = SHARED.has(object) ? 'sees' : 'nothing';
  expect(lines[0]!.endsWith(' on'), 'row-level security is on');
  expect(lines.filter((line) => line.startsWith('anon:')).join() === 'anon: -,anon: nothing', 'visitors see nothing');
  for (const who of ['B', 'no claims', "B's own SQL"]) expect(find(who) === others, `${who}: ${others}`);
  expect(!lines.some((line) => line.includes('hands to B')), 'a member gives no row away');
  expect(/^(-|select( \(.*\))?)$/.test(find('assistant')), "a member's own SQL only reads");
  for (const [role, actor] of [
    ['authenticated', 'A'],
    ['assistant', "A's own SQL"],
  ] as const) {
    const grants = find(role).replaceAll(/ \([^)]*\)/g, '');
    for (const verb of grants.split(', ').filter((text) => text !== '-'))
      expect(
        object.startsWith('view ')
          ? verb === 'select'
          : find(actor)
              .split(', ')
              .includes(EFFECTS[verb as keyof typeof EFFECTS]),
        `${role}: ${verb} without a policy`,
      );
  }
  return broken;
}

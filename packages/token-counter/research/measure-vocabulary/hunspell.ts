/**
 * Expands the word lists of hunspell dictionaries: the stems and one level of the affix rules that their flags allow.
 */

interface AffixRule {
  prefix: boolean;
  strip: string;
  append: string;
  condition: RegExp | undefined;
}

/**
 * Maximum number of forms per stem. Some dictionaries allow hundreds of endings per stem. Each stem then has some of
 * them, and all stems together have all.
 */
const MAX_FORMS_PER_STEM = 5;

function splitFlags(flags: string, kind: string): string[] {
  if (kind === 'num') return flags.split(',');
  if (kind === 'long') return flags.match(/../gsu) ?? [];
  return [...flags];
}

function parseCondition(condition: string, prefix: boolean): RegExp | undefined {
  if (condition === '.' || condition === '') return undefined;
  try {
    const pattern = condition.replace(/[-*+?(){}|\\/]/g, '\\$&');
    return new RegExp(prefix ? `^${pattern}` : `${pattern}$`, 'u');
  } catch {
    return undefined;
  }
}

function parseRules(affixes: string): { rules: Map<string, AffixRule[]>; kind: string; aliases: string[] } {
  const rules = new Map<string, AffixRule[]>();
  const aliases: string[] = [];
  let kind = '';
  for (const line of affixes.split('\n')) {
    const [word = '', flag = '', third = '', fourth = '', fifth = '.'] = line.trim().split(/\s+/);
    if (word === 'FLAG') kind = flag.toLowerCase();
    else if (word === 'AF') aliases.push(flag);
    else if ((word === 'SFX' || word === 'PFX') && fourth !== '' && !/^\d+$/.test(fourth)) {
      const prefix = word === 'PFX';
      const append = (fourth.split('/')[0] ?? '').replace(/^0$/, '');
      const list = rules.get(flag) ?? [];
      list.push({ prefix, strip: third === '0' ? '' : third, append, condition: parseCondition(fifth, prefix) });
      rules.set(flag, list);
    }
  }
  return { rules, kind, aliases };
}

function applyRule(stem: string, rule: AffixRule): string | undefined {
  if (rule.condition !== undefined && !rule.condition.test(stem)) return undefined;
  if (rule.prefix) return stem.startsWith(rule.strip) ? rule.append + stem.slice(rule.strip.length) : undefined;
  return stem.endsWith(rule.strip) ? stem.slice(0, stem.length - rule.strip.length) + rule.append : undefined;
}

/** Returns the character set of an affix file by its TextDecoder name. */
export function readCharset(affixBytes: Uint8Array): string {
  const charset =
    /^SET\s+(\S+)/m.exec(new TextDecoder('latin1').decode(affixBytes.subarray(0, 20_000)))?.[1] ?? 'UTF-8';
  return charset
    .toLowerCase()
    .replace(/^iso(?=\d)/, 'iso-')
    .replace('microsoft-cp', 'windows-')
    .replace(/^cp(?=125)/, 'windows-')
    .replace('tis620-2533', 'windows-874');
}

/** Calls `visit` with every stem of a dictionary and every form one affix away from the stem. */
export function expandDictionary(affixes: string, dictionary: string, visit: (word: string) => void): void {
  const { rules, kind, aliases } = parseRules(affixes);
  let stems = 0;
  for (const line of dictionary.split('\n')) {
    const [stem = '', flagText = ''] = (line.split(/[\t ]/)[0] ?? '').split('/');
    visit(stem);
    if (flagText === '') continue;
    const flags = aliases.length > 1 && /^\d+$/.test(flagText) ? (aliases[Number(flagText)] ?? '') : flagText;
    const applicableRules = splitFlags(flags.trim(), kind).flatMap((flag) => rules.get(flag) ?? []);
    const step = Math.max(1, Math.ceil(applicableRules.length / MAX_FORMS_PER_STEM));
    for (let index = stems++ % step; index < applicableRules.length; index += step) {
      const form = applyRule(stem, applicableRules[index] as AffixRule);
      if (form !== undefined) visit(form);
    }
  }
}

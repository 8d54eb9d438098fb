/** A changed text and its change. */
interface Mutation {
  what: string;
  text: string;
}

/** Operators that a mutation moves across their bound. */
const BOUNDARIES: Readonly<Record<string, string>> = { '>=': '>', '<=': '<', '>': '>=', '<': '<=' };

/** Comments, and strings without line breaks. */
const NO_CODE = /--.*|'[^'\n]*'/g;

/** Words that begin a condition. The constant that replaces it lets rows and statements pass. */
const CONDITION = /\b(where|and|or|on|if|elsif|check)\b\s+(?!conflict\b|found\b)(\(*)/gi;

/** Words after a condition. */
const CONDITION_END =
  /(?:and|or|then|order|group|having|returning|for|limit|union|except|window|on conflict|loop|as)\b/iy;

/**
 * Returns the mutations of the guards in SQL or PL/pgSQL. A condition is replaced by the constant that lets it pass, a
 * bound is moved by one, and a statement that only calls (takes a lock) or the lock of rows is removed. The text is not
 * parsed, so the server rejects some of them.
 */
export function mutateSql(text: string): Mutation[] {
  const code = text.replaceAll(NO_CODE, (part) => (part.startsWith('--') ? ' ' : 'x').repeat(part.length));
  const mutations: Mutation[] = [];
  const replace = (from: number, to: number, by: string): void => {
    const old = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
    const line = text.slice(0, from).split('\n').length;
    if (old.toLowerCase() === by) return;
    mutations.push({ what: `line ${line}: ${old} -> ${by}`, text: text.slice(0, from) + by + text.slice(to) });
  };
  for (const { 0: match, 1: word = '', 2: brackets = '', index } of code.matchAll(CONDITION)) {
    const passed = /^(or|if|elsif)$/i.test(word) ? 'false' : 'true';
    const inner = index + match.length;
    const from = inner - brackets.length;
    // A constraint without its whole condition is a mutant of its own.
    if (!/^check$/i.test(word)) replace(from, findConditionEnd(code, from), passed);
    // No word precedes the first of several conditions in brackets.
    const end = findConditionEnd(code, inner);
    const [, closed = '', next = ''] = /^(\)*)\s+(and|or)\b/i.exec(code.slice(end)) ?? [];
    if (next && closed.length < brackets.length) replace(inner, end, /and/i.test(next) ? 'true' : 'false');
    if (next && /if$/i.test(word)) replace(from, code.indexOf(' then', from), 'false');
  }
  for (const { 0: operator, index } of code.matchAll(/(?<=\s)[<>]=?(?=\s)/g))
    replace(index, index + operator.length, BOUNDARIES[operator]!);
  for (const { 0: statement, index } of code.matchAll(/\bperform\b[^;]*;/g))
    replace(index, index + statement.length, 'null;');
  for (const { 0: lock, index } of code.matchAll(/\bfor (?:share|update)\b/g)) replace(index, index + lock.length, '');
  return mutations;
}

/** Returns the end of the condition that begins at `from`. */
function findConditionEnd(code: string, from: number): number {
  let depth = 0;
  for (let index = from; index < code.length; index += 1) {
    const character = code[index]!;
    if (/[([]/.test(character)) depth += 1;
    if (/[)\]]/.test(character)) depth -= 1;
    if (depth < 0 || (depth === 0 && character === ';')) return index;
    CONDITION_END.lastIndex = index + 1;
    if (depth === 0 && /\s/.test(character) && CONDITION_END.test(code)) return index;
  }
  return code.length;
}

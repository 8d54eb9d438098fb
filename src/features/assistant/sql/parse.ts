import { Refusal } from './refusal.ts';

/** A node of the parsed statement without its kind; kinds and fields are those of PostgreSQL's own parser. */
export type Body = Readonly<Record<string, unknown>>;

const MOST_CHARACTERS = 4_000;

let loading: Promise<(text: string) => { stmts?: { stmt?: unknown }[] }> | undefined;

/** The parser of PostgreSQL 18 as WebAssembly, which takes 8 ms to load: the first statement does it. */
const loadParser = () =>
  (loading ??= import('libpg-query').then(async ({ loadModule, parseSync }) => {
    await loadModule();
    return parseSync;
  }));

/** The one SELECT that a text holds. Throws `Refusal` for any other text. */
export async function parseSelect(text: string): Promise<Body> {
  if (text.length > MOST_CHARACTERS)
    throw new Refusal('text', `The statement is longer than ${MOST_CHARACTERS} characters; ask for less at a time.`);
  if (text.includes('\0')) throw new Refusal('text', 'The statement holds a NUL character; leave it out.');
  const parse = await loadParser();
  const statements = tryToParse(parse, text);
  if (statements.length !== 1) throw new Refusal('syntax', 'Write one statement, and only one.');
  const [kind, body] = Object.entries(statements[0]!.stmt ?? {})[0] ?? [];
  if (kind !== 'SelectStmt')
    throw new Refusal('shape', 'Only SELECT is available: nothing can be written, set, locked or explained here.');
  return body as Body;
}

function tryToParse(parse: Awaited<ReturnType<typeof loadParser>>, text: string): { stmt?: unknown }[] {
  try {
    return parse(text).stmts ?? [];
  } catch (error) {
    throw new Refusal('syntax', `PostgreSQL cannot read this: ${(error as Error).message}.`);
  }
}

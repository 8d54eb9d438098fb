import { setFlagsFromString } from 'node:v8';
import type { ParseResult, SelectStmt } from 'libpg-query';
import { SqlRejection } from './rejection.ts';

const MAX_STATEMENT_LENGTH = 4_000;

let parserPromise: Promise<(text: string) => ParseResult> | undefined;

/**
 * V8 would optimize the parser after some statements, which takes up to 560 MB and ends a process with little memory.
 * Statements of 4,000 characters parse as fast without it.
 */
const NO_OPTIMIZATION = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** Loads the parser of PostgreSQL 18 as WebAssembly on the first statement, which takes 8 ms. */
const loadParser = () => {
  parserPromise ??= import('libpg-query').then(async ({ loadModule, parseSync }) => {
    for (const flag of NO_OPTIMIZATION) setFlagsFromString(flag);
    await loadModule();
    return parseSync;
  });
  return parserPromise;
};

/** Parses a text that contains exactly one SELECT. Throws `SqlRejection` for any other text. */
export async function parseSelect(text: string): Promise<SelectStmt> {
  if (text.length > MAX_STATEMENT_LENGTH)
    throw new SqlRejection(
      'text',
      `The statement is longer than ${MAX_STATEMENT_LENGTH} characters; request less data.`,
    );
  if (text.includes('\0')) throw new SqlRejection('text', 'The statement contains a NUL character; remove it.');
  const parse = await loadParser();
  const statements = tryToParse(parse, text);
  if (statements.length !== 1) throw new SqlRejection('syntax', 'Write one statement, and only one.');
  const statement = statements[0]!.stmt;
  if (!statement || !('SelectStmt' in statement))
    throw new SqlRejection('shape', 'Only SELECT is available: nothing can be written, set, locked or explained here.');
  return statement.SelectStmt;
}

function tryToParse(parse: Awaited<ReturnType<typeof loadParser>>, text: string): NonNullable<ParseResult['stmts']> {
  try {
    return parse(text).stmts ?? [];
  } catch (error) {
    throw new SqlRejection('syntax', `PostgreSQL cannot parse this: ${(error as Error).message}.`);
  }
}

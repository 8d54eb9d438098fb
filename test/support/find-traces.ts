import type { Page } from '@playwright/test';
import type { TestDatabase } from './database.ts';

/** Returns each encoded form of a secret: plain, URL-encoded, base64 and hexadecimal. */
export function getEncodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [secret, encodeURIComponent(secret), bytes.toString('base64url'), bytes.toString('hex')];
  return [...new Set([...forms, bytes.toString('base64').replace(/=+$/, '')])];
}

/** Returns the secrets that the text contains in any form. */
export const findTraces = (text: string, secrets: readonly string[]): string[] =>
  secrets
    .flatMap((secret) => getEncodedForms(secret).filter((form) => text.includes(form)))
    .map((form) => form.slice(0, 40));

/** Returns every row of every table of ours as one text each, with bytes in hexadecimal. */
export async function dumpDatabase({ owner }: Pick<TestDatabase, 'owner'>): Promise<string> {
  const tables = await owner<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm', 'p') and n.nspname not in ('pg_catalog', 'information_schema')`,
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const matchingRows = await owner<{ row: string }>(`select t::text as row from ${name} t`);
    rows.push(...matchingRows.map(({ row }) => `${name} ${row}`));
  }
  return rows.join('\n');
}

/**
 * Returns everything that the page's document exposes to a script: addresses, navigation and performance entries,
 * stores, and the document.
 */
export function readDocument(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const { navigation } = window as unknown as { navigation: { entries(): { url: string }[] } };
    const databases = await indexedDB.databases();
    return {
      href: location.href,
      referrer: document.referrer,
      baseURI: document.baseURI,
      state: history.state as unknown,
      name: window.name,
      entries: navigation.entries().map(({ url }) => url),
      timings: performance.getEntries().map(({ name }) => name),
      sessionStorage: { ...sessionStorage },
      localStorage: { ...localStorage },
      databases: databases.map(({ name }) => name),
      caches: await caches.keys(),
      cookies: document.cookie,
      document: document.documentElement.outerHTML,
    };
  });
}

import { readFileSync, statSync } from 'node:fs';
import { type Config, ConfigError } from './load-config.ts';

/** Maximum size in bytes of a document. A privacy policy of 30 pages has about 100 kB. */
const MAX_DOCUMENT_BYTES = 262_144;

/** Settings that name a Markdown file, by the page that shows it. */
const documentSettings = { privacy: 'PRIVACY_FILE', terms: 'TERMS_FILE' } as const;

type SiteDocumentName = keyof typeof documentSettings;

/** Markdown of the operator's pages. A page without a file is absent. */
export type SiteDocuments = Partial<Record<SiteDocumentName, string>>;

/** Reads the files of the operator's pages. Throws `ConfigError` that names the setting of an unusable file. */
export function readSiteDocuments(config: Pick<Config, 'PRIVACY_FILE' | 'TERMS_FILE'>): SiteDocuments {
  const documents: SiteDocuments = {};
  for (const [name, setting] of Object.entries(documentSettings) as [SiteDocumentName, keyof typeof config][]) {
    const path = config[setting];
    if (path !== undefined) documents[name] = readDocument(setting, path);
  }
  return documents;
}

function readDocument(setting: string, path: string): string {
  const fail = (problem: string): never => {
    throw new ConfigError(`The setting ${setting} names ${path}, which ${problem}.`);
  };
  try {
    const status = statSync(path);
    if (!status.isFile()) return fail('is not a file');
    if (status.size > MAX_DOCUMENT_BYTES) return fail(`is larger than ${MAX_DOCUMENT_BYTES} bytes`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    return text.trim() === '' ? fail('is empty') : text;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return fail('is not UTF-8 text');
    return fail(code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`);
  }
}

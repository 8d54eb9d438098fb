import { createHash } from 'node:crypto';
import {
  collectMedia,
  type CountTokensRequest,
  type DocumentSource,
  type PdfFacts,
} from '../../packages/token-counter/src/index.ts';
import { DEFAULT_PDF_LIMITS } from '../../src/features/token-api/pdf/pdf-result.ts';
import { readPages } from '../../src/features/token-api/pdf/read-pages.ts';

/** Reads every PDF of recorded requests once, as the service does. Returns the facts that the counter asks for. */
export async function readPdfs(
  records: readonly { request: CountTokensRequest }[],
): Promise<(source: DocumentSource) => PdfFacts | undefined> {
  const facts = new Map<string, PdfFacts>();
  for (const { request } of records) {
    for (const { block } of collectMedia(request)) {
      if (block.type !== 'document' || block.source.type !== 'base64') continue;
      const key = hashData(block.source.data);
      if (facts.has(key)) continue;
      const result = await readPages(Uint8Array.from(Buffer.from(block.source.data, 'base64')), DEFAULT_PDF_LIMITS);
      if (result.ok) facts.set(key, result);
    }
  }
  return (source) => (source.type === 'base64' ? facts.get(hashData(source.data)) : undefined);
}

function hashData(data: string): string {
  return createHash('sha256').update(data).digest('base64');
}

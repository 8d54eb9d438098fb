import type { SiteDocument, SiteDocumentName } from './contract.ts';
import { type DataRecipients, writeDefaultDocument } from './default-documents.ts';

const DEFAULT_TITLES: Readonly<Record<SiteDocumentName, string>> = { privacy: 'Privacy', terms: 'Terms' };

/** Renders a page from the operator's Markdown, or from the default text without it. */
export async function renderDocument(
  name: SiteDocumentName,
  markdown: string | undefined,
  recipients: DataRecipients,
): Promise<SiteDocument> {
  const { renderMarkdown } = await import('./render-markdown.ts');
  const { title, html } = renderMarkdown(markdown ?? writeDefaultDocument(name, recipients));
  return { title: title ?? DEFAULT_TITLES[name], html, source: markdown === undefined ? 'default' : 'operator' };
}

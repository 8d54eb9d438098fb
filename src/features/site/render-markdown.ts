import MarkdownIt from 'markdown-it';

/** Markdown as HTML. `title` is the text of a heading at its start, which `html` leaves out. */
interface RenderedMarkdown {
  title: string | null;
  html: string;
}

/** Targets of links: web and mail addresses, telephone numbers, and pages of this site. */
const LINK_TARGET = /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i;

/**
 * Renders Markdown of the operator. HTML in it is shown as text, links with other schemes are shown as written, and a
 * picture is shown by its description, because the content security policy blocks pictures from elsewhere.
 */
export function renderMarkdown(text: string): RenderedMarkdown {
  const markdown = new MarkdownIt('commonmark', { html: false, linkify: false }).enable('table');
  markdown.validateLink = (url) => LINK_TARGET.test(url);
  const { rules } = markdown.renderer;
  rules['image'] = (tokens, index) => markdown.utils.escapeHtml(tokens[index]!.content);
  // A wide table scrolls on its own, and a focusable region can be scrolled by keyboard.
  rules['table_open'] = () => '<div class="document-table" tabindex="0"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  const tokens = markdown.parse(text, {});
  const [first, inline] = tokens;
  const isTitled = first?.type === 'heading_open' && first.tag === 'h1';
  const title = isTitled ? inline!.children!.map(({ content }) => content).join('') : null;
  const body = isTitled ? tokens.slice(3) : tokens;
  for (const token of body) {
    // The page has one main heading, its title.
    if (token.tag === 'h1') token.tag = 'h2';
    // The content security policy blocks style attributes, by which columns are aligned.
    const alignment = /right|center/.exec(String(token.attrGet('style')))?.[0];
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
    if (alignment) token.attrSet('class', `align-${alignment}`);
  }
  return { title, html: markdown.renderer.render(body, markdown.options, {}) };
}

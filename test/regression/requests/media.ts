import { seeded } from '../../support/seeded.ts';
import { gif, jpeg, png, sof, webp } from '../../support/image-bytes.ts';
import { pdfOf } from '../../support/pdf-bytes.ts';
import { GIF_URL, PDF_URL } from './files.ts';
import { assistant, type Block, type Body, type Named, of, text, user } from './body.ts';

const what = text('What is this?');
const base64 = (bytes: ArrayLike<number>, media_type: string): Block => ({
  type: 'base64',
  media_type,
  data: Buffer.from(Uint8Array.from(Array.from(bytes))).toString('base64'),
});
const image = (source: Block, more: Body = {}): Block => ({ type: 'image', source, ...more });
const document = (source: Block, more: Body = {}): Block => ({ type: 'document', source, ...more });
const plain = (data: string): Block => ({ type: 'text', media_type: 'text/plain', data });
const asked = (name: string, ...blocks: Block[]): Named => of(name, [user([...blocks, what])]);

const sizes: readonly [width: number, height: number][] = [
  [1, 1],
  [28, 28],
  [29, 57],
  [200, 200],
  [640, 480],
  [1000, 1000],
  [1092, 1092],
  [1568, 200],
  [1920, 1080],
  [2576, 1449],
  [4000, 3000],
  [8000, 12],
  [13, 7999],
];

/** Images of many sizes, as each of the four types. */
const images: readonly Named[] = [
  ...sizes.map(([width, height]) =>
    asked(`PNG of ${width} × ${height}`, image(base64(png(width, height), 'image/png'))),
  ),
  ...someSizes(4).map(([width, height]) =>
    asked(`GIF of ${width} × ${height}`, image(base64(gif('89a', width, height), 'image/gif'))),
  ),
  ...someSizes(4).map(([width, height]) =>
    asked(`JPEG of ${width} × ${height}`, image(base64(jpeg([sof(0xc0, width, height)]), 'image/jpeg'))),
  ),
  ...(['VP8 ', 'VP8L', 'VP8X'] as const).map((form, at) =>
    asked(`WebP ${form.trim()}`, image(base64(webp(form, 300 + 211 * at, 700 - 97 * at), 'image/webp'))),
  ),
  asked(
    'two images and a text between',
    image(base64(png(90, 90), 'image/png')),
    text('and'),
    image(base64(png(300, 40), 'image/png')),
  ),
  asked('a cached image', image(base64(png(300, 300), 'image/png'), { cache_control: { type: 'ephemeral' } })),
  asked('an image whose type is not the declared one', image(base64(png(300, 300), 'image/jpeg'))),
  asked('an image behind a URL', image({ type: 'url', url: GIF_URL })),
  of('an image in a result', [
    user('Look at the pier.'),
    assistant([{ type: 'tool_use', id: 'call_1', name: 'camera', input: {} }]),
    user([
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: [text('now'), image(base64(gif('87a', 500, 400), 'image/gif'))],
      },
    ]),
  ]),
];

function someSizes(count: number): [width: number, height: number][] {
  const draw = seeded(count);
  return Array.from({ length: count }, () => [1 + draw(4000), 1 + draw(4000)]);
}

const pdf = (pages: string[][], options?: Parameters<typeof pdfOf>[1]): Block =>
  base64(pdfOf(pages, options), 'application/pdf');
const bible = ['Low water at half past six in the morning.', 'High water at noon; wind from the west.'];

/** PDFs, plain texts, documents of blocks, search results, and citing them. */
const documents: readonly Named[] = [
  asked('a PDF of a page', document(pdf([bible]))),
  asked(
    'a PDF of three pages',
    document(pdf([bible, [], ['The end.']]), { title: 'Almanac', context: 'For sailors.' }),
  ),
  asked('a PDF of a wide page', document(pdf([bible], { box: [1684, 1191] }))),
  asked(
    'a PDF of a turned page',
    document(pdf([bible], { box: [595, 842], rotate: 90 }), { citations: { enabled: true } }),
  ),
  asked('a PDF behind a URL', document({ type: 'url', url: PDF_URL })),
  asked('a plain text', document(plain('High water at noon.\nWind from the west.'))),
  asked('an empty plain text', document(plain(''))),
  asked(
    'a plain text with everything',
    document(plain('High at noon.'), { title: 'Tides', context: 'Pier', cache_control: { type: 'ephemeral' } }),
  ),
  asked(
    'a plain text of nulls',
    document(plain('High at noon.'), { title: null, context: null, citations: null, cache_control: null }),
  ),
  asked(
    'a text to cite',
    document(plain('High at noon. Low at six.'), { title: 'Tides', citations: { enabled: true } }),
  ),
  asked(
    'a text not to cite',
    document(plain('High at noon.'), { citations: { enabled: false } }),
    document(plain('Low.'), { citations: {} }),
  ),
  asked('a document of one text', document({ type: 'content', content: 'High at noon.' })),
  asked(
    'a document of blocks',
    document({ type: 'content', content: [text('High at noon.'), image(base64(png(64, 64), 'image/png'))] }),
  ),
  asked('a document of no blocks', document({ type: 'content', content: [] }), document(plain('Low.'))),
  asked('a search result', {
    type: 'search_result',
    source: 'https://tides.example',
    title: 'Tides',
    content: [text('High at noon.'), text('Low at six.')],
  }),
  ...[true, false].map((enabled) =>
    asked(`a search result ${enabled ? '' : 'not '}to cite`, {
      type: 'search_result',
      source: 'almanac',
      title: 'Gezeiten',
      content: [text('High at noon.')],
      citations: { enabled },
      cache_control: { type: 'ephemeral' },
    }),
  ),
];

const inDocument = (nothing: null | undefined): Body => ({
  cited_text: 'High at noon.',
  document_index: 0,
  ...(nothing === null ? { document_title: null, file_id: null } : { document_title: 'Tides', file_id: 'file_011' }),
});
const cited = (citation: Block): Named =>
  of(
    `cites by ${String(citation['type'])}${'title' in citation || citation['file_id'] === null ? '' : ', titled'}${citation['title'] === null ? ', untitled' : ''}`,
    [
      user([document(plain('High at noon.'), { title: 'Tides', citations: { enabled: true } }), what]),
      assistant([text('At noon.', { citations: [citation] })]),
      user('Sure?'),
    ],
  );

/** Answers that cite. */
const citations: readonly Named[] = [
  ...[undefined, null].flatMap((nothing) => [
    cited({ type: 'char_location', ...inDocument(nothing), start_char_index: 0, end_char_index: 13 }),
    cited({ type: 'page_location', ...inDocument(nothing), start_page_number: 1, end_page_number: 2 }),
    cited({ type: 'content_block_location', ...inDocument(nothing), start_block_index: 0, end_block_index: 1 }),
  ]),
  ...['Tides', null].flatMap((title) => [
    cited({
      type: 'web_search_result_location',
      cited_text: 'noon',
      encrypted_index: 'aW5kZXg=',
      url: 'https://tides.example',
      title,
    }),
    cited({
      type: 'search_result_location',
      cited_text: 'noon',
      search_result_index: 0,
      source: 'almanac',
      start_block_index: 0,
      end_block_index: 1,
      title,
    }),
  ]),
  of('cites nothing', [
    user('Tides?'),
    assistant([text('At noon.', { citations: null }), text('Low at six.', { citations: [] })]),
    user('Sure?'),
  ]),
];

export const media: readonly Named[] = [...images, ...documents, ...citations];

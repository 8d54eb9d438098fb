import { seeded } from '../../support/seeded.ts';
import { createGifHeader, createJpeg, createPng, createFrameHeader, createWebp } from '../../support/image-bytes.ts';
import { createPdf } from '../../support/pdf-bytes.ts';
import { GIF_URL, PDF_URL } from './files.ts';
import {
  createAssistantMessage,
  type Block,
  type Body,
  type NamedRequest,
  toNamedRequest,
  createText,
  createUserMessage,
} from './body.ts';

const question = createText('What is this?');
const createBase64Source = (bytes: ArrayLike<number>, media_type: string): Block => ({
  type: 'base64',
  media_type,
  data: Buffer.from(Uint8Array.from(Array.from(bytes))).toString('base64'),
});
const createImage = (source: Block, extra: Body = {}): Block => ({ type: 'image', source, ...extra });
const createDocument = (source: Block, extra: Body = {}): Block => ({ type: 'document', source, ...extra });
const createPlainText = (data: string): Block => ({ type: 'text', media_type: 'text/plain', data });
const askAbout = (name: string, ...blocks: Block[]): NamedRequest =>
  toNamedRequest(name, [createUserMessage([...blocks, question])]);

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

/** Images of many sizes, in each of the four formats. */
const images: readonly NamedRequest[] = [
  ...sizes.map(([width, height]) =>
    askAbout(`PNG of ${width} × ${height}`, createImage(createBase64Source(createPng(width, height), 'image/png'))),
  ),
  ...drawSizes(4).map(([width, height]) =>
    askAbout(
      `GIF of ${width} × ${height}`,
      createImage(createBase64Source(createGifHeader('89a', width, height), 'image/gif')),
    ),
  ),
  ...drawSizes(4).map(([width, height]) =>
    askAbout(
      `JPEG of ${width} × ${height}`,
      createImage(createBase64Source(createJpeg([createFrameHeader(0xc0, width, height)]), 'image/jpeg')),
    ),
  ),
  ...(['VP8 ', 'VP8L', 'VP8X'] as const).map((form, index) =>
    askAbout(
      `WebP ${form.trim()}`,
      createImage(createBase64Source(createWebp(form, 300 + 211 * index, 700 - 97 * index), 'image/webp')),
    ),
  ),
  askAbout(
    'two images and a text between',
    createImage(createBase64Source(createPng(90, 90), 'image/png')),
    createText('and'),
    createImage(createBase64Source(createPng(300, 40), 'image/png')),
  ),
  askAbout(
    'a cached image',
    createImage(createBase64Source(createPng(300, 300), 'image/png'), { cache_control: { type: 'ephemeral' } }),
  ),
  ...[null, { oversized_image: 'downsize' }, { oversized_image: 'error' }].map((transformations) =>
    askAbout(
      `an image with transformations ${JSON.stringify(transformations)}`,
      createImage(createBase64Source(createPng(300, 300), 'image/png'), { transformations }),
    ),
  ),
  askAbout('an image behind a URL', createImage({ type: 'url', url: GIF_URL })),
  toNamedRequest('an image in a result', [
    createUserMessage('Look at the pier.'),
    createAssistantMessage([{ type: 'tool_use', id: 'call_1', name: 'camera', input: {} }]),
    createUserMessage([
      {
        type: 'tool_result',
        tool_use_id: 'call_1',
        content: [createText('now'), createImage(createBase64Source(createGifHeader('87a', 500, 400), 'image/gif'))],
      },
    ]),
  ]),
];

function drawSizes(count: number): [width: number, height: number][] {
  const draw = seeded(count);
  return Array.from({ length: count }, () => [1 + draw(4000), 1 + draw(4000)]);
}

const createPdfBlock = (pages: string[][], options?: Parameters<typeof createPdf>[1]): Block =>
  createBase64Source(createPdf(pages, options), 'application/pdf');
const bible = ['Low water at half past six in the morning.', 'High water at noon; wind from the west.'];

/** PDFs, plain texts, documents of blocks, search results, and citations of them. */
const documents: readonly NamedRequest[] = [
  askAbout('a PDF of a page', createDocument(createPdfBlock([bible]))),
  askAbout(
    'a PDF of three pages',
    createDocument(createPdfBlock([bible, [], ['The end.']]), { title: 'Almanac', context: 'For sailors.' }),
  ),
  askAbout('a PDF of a wide page', createDocument(createPdfBlock([bible], { box: [1684, 1191] }))),
  askAbout(
    'a PDF of a turned page',
    createDocument(createPdfBlock([bible], { box: [595, 842], rotate: 90 }), { citations: { enabled: true } }),
  ),
  askAbout('a PDF behind a URL', createDocument({ type: 'url', url: PDF_URL })),
  askAbout('a plain text', createDocument(createPlainText('High water at noon.\nWind from the west.'))),
  askAbout('an empty plain text', createDocument(createPlainText(''))),
  askAbout(
    'a plain text with everything',
    createDocument(createPlainText('High at noon.'), {
      title: 'Tides',
      context: 'Pier',
      cache_control: { type: 'ephemeral' },
    }),
  ),
  askAbout(
    'a plain text of nulls',
    createDocument(createPlainText('High at noon.'), {
      title: null,
      context: null,
      citations: null,
      cache_control: null,
    }),
  ),
  askAbout(
    'a text to cite',
    createDocument(createPlainText('High at noon. Low at six.'), { title: 'Tides', citations: { enabled: true } }),
  ),
  askAbout(
    'a text not to cite',
    createDocument(createPlainText('High at noon.'), { citations: { enabled: false } }),
    createDocument(createPlainText('Low.'), { citations: {} }),
  ),
  askAbout('a document of one text', createDocument({ type: 'content', content: 'High at noon.' })),
  askAbout(
    'a document of blocks',
    createDocument({
      type: 'content',
      content: [createText('High at noon.'), createImage(createBase64Source(createPng(64, 64), 'image/png'))],
    }),
  ),
  askAbout(
    'a document of no blocks',
    createDocument({ type: 'content', content: [] }),
    createDocument(createPlainText('Low.')),
  ),
  askAbout('a search result', {
    type: 'search_result',
    source: 'https://tides.example',
    title: 'Tides',
    content: [createText('High at noon.'), createText('Low at six.')],
  }),
  ...[true, false].map((enabled) =>
    askAbout(`a search result ${enabled ? '' : 'not '}to cite`, {
      type: 'search_result',
      source: 'almanac',
      title: 'Gezeiten',
      content: [createText('High at noon.')],
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
const createCitationRequest = (citation: Block): NamedRequest =>
  toNamedRequest(
    `cites by ${String(citation['type'])}${'title' in citation || citation['file_id'] === null ? '' : ', titled'}${citation['title'] === null ? ', untitled' : ''}`,
    [
      createUserMessage([
        createDocument(createPlainText('High at noon.'), { title: 'Tides', citations: { enabled: true } }),
        question,
      ]),
      createAssistantMessage([createText('At noon.', { citations: [citation] })]),
      createUserMessage('Sure?'),
    ],
  );

/** Answers with citations. */
const citations: readonly NamedRequest[] = [
  ...[undefined, null].flatMap((nothing) => [
    createCitationRequest({ type: 'char_location', ...inDocument(nothing), start_char_index: 0, end_char_index: 13 }),
    createCitationRequest({ type: 'page_location', ...inDocument(nothing), start_page_number: 1, end_page_number: 2 }),
    createCitationRequest({
      type: 'content_block_location',
      ...inDocument(nothing),
      start_block_index: 0,
      end_block_index: 1,
    }),
  ]),
  ...['Tides', null].flatMap((title) => [
    createCitationRequest({
      type: 'web_search_result_location',
      cited_text: 'noon',
      encrypted_index: 'aW5kZXg=',
      url: 'https://tides.example',
      title,
    }),
    createCitationRequest({
      type: 'search_result_location',
      cited_text: 'noon',
      search_result_index: 0,
      source: 'almanac',
      start_block_index: 0,
      end_block_index: 1,
      title,
    }),
  ]),
  toNamedRequest('cites nothing', [
    createUserMessage('Tides?'),
    createAssistantMessage([createText('At noon.', { citations: null }), createText('Low at six.', { citations: [] })]),
    createUserMessage('Sure?'),
  ]),
];

export const media: readonly NamedRequest[] = [...images, ...documents, ...citations];

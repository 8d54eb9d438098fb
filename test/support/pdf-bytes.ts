/** Builds small PDFs for tests. */
import { deflateSync } from 'node:zlib';

interface PdfOptions {
  box?: [number, number];
  rotate?: number;
  /** Number of blanks after the text, which deflate compresses a thousandfold. */
  padding?: number;
  /** Operators after the text, which take the time of their interpretation. */
  operators?: string;
  /** Declares a standard security handler with an unknown password. */
  encrypted?: boolean;
}

/** Returns a PDF with one page for each list of lines. */
export function createPdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Uint8Array {
  const [width, height] = options.box ?? [612, 792];
  const rotate = options.rotate === undefined ? '' : `/Rotate ${options.rotate} `;
  const first = 4;
  const pageReferences = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ');
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${pageReferences}] /Count ${pages.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
  ];
  pages.forEach((lines, index) => {
    const content = first + 2 * index + 1;
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] ${rotate}/Contents ${content} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> >> >>',
      ),
      createStream(createContentStream(lines, options)),
    );
  });
  objects.push(Buffer.from(`<< /Producer (Fixture) >>`));
  const extra =
    options.encrypted === true
      ? ` /ID [<${'ab'.repeat(16)}> <${'ab'.repeat(16)}>] /Encrypt ${createEncryptionDictionary()}`
      : '';
  return assemblePdf(objects, `/Info ${objects.length} 0 R${extra}`);
}

function createContentStream(lines: readonly string[], { padding = 0, operators = '' }: PdfOptions): Buffer {
  const text = lines.map((line, index) => `BT /F1 12 Tf 72 ${700 - 20 * index} Td (${line}) Tj ET\n`).join('');
  return Buffer.concat([Buffer.from(text + operators), Buffer.alloc(padding, 0x20)]);
}

function createStream(content: Buffer): Buffer {
  const compressed = deflateSync(content, { level: 9 });
  return Buffer.concat([
    Buffer.from(`<< /Length ${compressed.length} /Filter /FlateDecode >>\nstream\n`),
    compressed,
    Buffer.from('\nendstream'),
  ]);
}

function createEncryptionDictionary(): string {
  return `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'11'.repeat(32)}> /U <${'22'.repeat(32)}> >>`;
}

function assemblePdf(objects: readonly Buffer[], trailer: string): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets: number[] = [];
  let offset = 9;
  objects.forEach((object, index) => {
    const objectBytes = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    offsets.push(offset);
    offset += objectBytes.length;
    parts.push(objectBytes);
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n` +
        `<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${offset}\n%%EOF`,
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

/** The body of a third party's response. Throws as soon as it exceeds `cap` bytes, whatever its headers state. */
export async function readCapped(response: Response, cap: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > cap) throw new Error(`the answer exceeds ${cap} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

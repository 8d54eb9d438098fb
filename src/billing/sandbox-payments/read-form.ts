interface Fields {
  [name: string]: string | Fields | (string | Fields)[];
}

/** The wire's form: `items[0][price]=p&metadata[a]=b` → `{ items: [{ price: 'p' }], metadata: { a: 'b' } }`. */
export function readForm(form: URLSearchParams): Fields {
  const root: Fields = Object.create(null) as Fields;
  for (const [name, value] of form) {
    const path = [name.replace(/\[.*$/s, ''), ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part!)];
    let at = root;
    for (const part of path.slice(0, -1)) at = (at[part] ??= Object.create(null) as Fields) as Fields;
    at[path.at(-1)!] = value;
  }
  return listed(root) as Fields;
}

/** Objects whose names are 0, 1, 2, … are lists. */
function listed(value: Fields[string]): Fields[string] {
  if (typeof value === 'string') return value;
  const entries = Object.entries(value).map(([name, part]) => [name, listed(part)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? (entries.map(([, part]) => part) as (string | Fields)[]) : Object.fromEntries(entries);
}

import { gzipSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';

const drag = ['GridList', 'GridListItem', 'Button', 'useDragAndDrop'];
const modal = ['Modal', 'ModalOverlay', 'Dialog', 'Heading'];
const menu = ['MenuTrigger', 'Menu', 'MenuItem', 'Popover', 'Button'];
const search = ['Autocomplete', 'SearchField', 'Input', 'ListBox', 'ListBoxItem', 'ListBoxSection', 'Header'];

/** What each part of a screen would take from React Aria. */
export const reactAriaParts: Readonly<Record<string, readonly string[]>> = {
  'search: autocomplete over a list box': search,
  'search: combobox': ['ComboBox', 'Input', 'ListBox', 'ListBoxItem', 'ListBoxSection', 'Popover'],
  menus: menu,
  dialogs: modal,
  'edit mode: grid list, drag and drop, modal': [...drag, ...modal],
  'edit mode: the same, virtual': [...drag, ...modal, 'Virtualizer', 'ListLayout'],
  'all of it': [...new Set([...drag, ...modal, ...menu, ...search, 'Virtualizer', 'ListLayout'])],
};

/** Leaves out the sentences of all languages but English, which the page speaks. */
const englishAlone: Plugin = {
  name: 'english-alone',
  enforce: 'pre',
  load: (id) =>
    /[\\/]intl[\\/].*[a-z]{2}-[A-Z]{2}\.(?:mjs|js)$/.test(id) && !id.includes('en-US') ? 'export default {}' : null,
};

async function bundle(input: string, plugins: Plugin[], external: RegExp[]): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins,
    build: { write: false, target: 'es2022', rolldownOptions: { input, external } },
  });
  const [output] = [built].flat() as Rolldown.RolldownOutput[];
  return (output?.output ?? []).map((file) => ('code' in file ? file.code : '')).join('\n');
}

/** One script with everything that a page needs. */
export const bundleOf = (input: string): Promise<string> => bundle(input, [], []);

/** Kilobytes of so many exports of React Aria, as gzip makes them, without React itself. */
export async function gzipOf(names: readonly string[], english: boolean): Promise<number> {
  const entry: Plugin = {
    name: 'entry',
    resolveId: (id) => (id === 'parts' ? `${import.meta.dirname}/parts.js` : null),
    load: (id) =>
      id.endsWith('/parts.js')
        ? `import { ${names.join(', ')} } from 'react-aria-components'; console.log(${names.join(', ')});`
        : null,
  };
  const code = await bundle('parts', english ? [englishAlone, entry] : [entry], [
    /^react(?:$|\/)/,
    /^react-dom(?:$|\/)/,
  ]);
  return gzipSync(code, { level: 9 }).length / 1000;
}

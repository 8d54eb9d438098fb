import { type ReactNode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  Button,
  Dialog,
  GridList,
  GridListItem,
  Heading,
  ListLayout,
  Modal,
  useDragAndDrop,
  Virtualizer,
} from 'react-aria-components';

/** What React Aria tells of a drop; its own types are there only once bench/ is installed. */
interface Reorder {
  keys: ReadonlySet<string>;
  target: { key: string; dropPosition: 'before' | 'after' };
}

const parameters = new URLSearchParams(location.search);
const rows = Array.from({ length: Number(parameters.get('rows')) }, (_, index) => ({
  id: `S${index}`,
  name: `Company ${index}`,
}));

/** The same list in React Aria: a grid list with drag and drop in its modal; `virtual` draws only the rows in sight. */
function Page() {
  const [items, setItems] = useState(rows);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys: ReadonlySet<string>) => [...keys].map((key) => ({ 'text/plain': key })),
    onReorder({ keys, target }: Reorder) {
      const rest = items.filter(({ id }) => !keys.has(id));
      const at = rest.findIndex(({ id }) => id === target.key) + (target.dropPosition === 'after' ? 1 : 0);
      setItems(rest.toSpliced(at, 0, ...items.filter(({ id }) => keys.has(id))));
    },
  });
  const list = (
    <GridList
      aria-label="Order"
      items={items}
      dragAndDropHooks={dragAndDropHooks}
      style={{ display: 'block', height: 600, overflow: 'auto' }}
    >
      {({ id, name }: (typeof rows)[number]) => (
        <GridListItem id={id} textValue={name} style={{ display: 'flex', height: 52 }}>
          <Button slot="drag">Reorder {name}</Button>
          <span>{id}</span>
          <span>{name}</span>
          <button type="button">Move {name}</button>
          <button type="button">Remove {name}</button>
        </GridListItem>
      )}
    </GridList>
  );
  return (
    <Modal isOpen>
      <Dialog>
        <Heading slot="title">Edit watchlist</Heading>
        <output>
          {items
            .slice(0, 12)
            .map(({ id }) => id)
            .join(' ')}
        </output>
        {parameters.has('virtual') ? <Virtual>{list}</Virtual> : list}
      </Dialog>
    </Modal>
  );
}

const Virtual = ({ children }: { children: ReactNode }) => (
  <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: 52 }}>
    {children}
  </Virtualizer>
);

const root = document.getElementById('app');
if (root) createRoot(root).render(<Page />);

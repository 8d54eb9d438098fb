import { createRoot } from 'react-dom/client';
import {
  Button,
  ComboBox,
  Dialog,
  DialogTrigger,
  Heading,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Menu,
  MenuItem,
  MenuTrigger,
  Modal,
  Popover,
  useDragAndDrop,
  GridList,
  GridListItem,
} from 'react-aria-components';

/** The parts of React Aria that a screen would use, on one page. */
function Page() {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys: ReadonlySet<string>) => [...keys].map((key) => ({ 'text/plain': key })),
    onReorder: () => undefined,
  });
  return (
    <main>
      <MenuTrigger>
        <Button>Open the menu</Button>
        <Popover>
          <Menu>
            <MenuItem>First entry</MenuItem>
            <MenuItem>Second entry</MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <DialogTrigger>
        <Button>Open the dialog</Button>
        <Modal>
          <Dialog>
            <Heading slot="title">A dialog</Heading>
            <Button slot="close">Close it</Button>
          </Dialog>
        </Modal>
      </DialogTrigger>
      <ComboBox>
        <Label>Search</Label>
        <Input />
        <Button>Show all</Button>
        <Popover>
          <ListBox>
            <ListBoxItem>Apple</ListBoxItem>
            <ListBoxItem>Banana</ListBoxItem>
          </ListBox>
        </Popover>
      </ComboBox>
      <GridList aria-label="Order" dragAndDropHooks={dragAndDropHooks} selectionMode="multiple">
        {['One', 'Two', 'Three'].map((name) => (
          <GridListItem key={name} id={name} textValue={name}>
            <Button slot="drag">Reorder</Button>
            {name}
          </GridListItem>
        ))}
      </GridList>
    </main>
  );
}

const root = document.getElementById('app');
if (root) createRoot(root).render(<Page />);

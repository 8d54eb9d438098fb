import { useState } from 'react';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { IconButton } from '../../kit/icon-button.tsx';
import { PopoverMenu } from '../../kit/popover-menu.tsx';
import { SortHeading } from '../../kit/sort-heading.tsx';
import { Spinner } from '../../kit/spinner.tsx';
import { showToast } from '../../kit/toasts.ts';
import { LONG_TEXT, Sample, Samples } from './sample.tsx';

const VARIANTS = ['primary', 'plain', 'quiet', 'danger'] as const;
const ignore = (): void => {};

/** Shows buttons, badges and headings that sort. `prefix` makes ids unique. */
export function ActionSamples({ prefix }: { prefix: string }) {
  return (
    <>
      <Samples title="Button">
        {VARIANTS.map((variant) => (
          <Sample key={variant} state={`${variant}: normal, focused, pending, disabled`}>
            <div className="gallery-row">
              <Button variant={variant}>Save</Button>
              <span className="gallery-focused">
                <Button variant={variant}>Save</Button>
              </span>
              <Button variant={variant} pending>
                Save
              </Button>
              <Button variant={variant} disabled>
                Save
              </Button>
            </div>
          </Sample>
        ))}
      </Samples>
      <Samples title="Icon button, copy button, popover menu">
        <Sample state="head, row, remove, focused, disabled">
          <div className="gallery-row">
            <IconButton icon="pencil" label="Edit" />
            <IconButton icon="pencil" label="Edit the row" variant="row" />
            <IconButton icon="close" label="Remove the row" variant="remove" />
            <span className="gallery-focused">
              <IconButton icon="pencil" label="Edit, focused" />
            </span>
            <IconButton icon="pencil" label="Edit, disabled" disabled />
            <CopyButton text="copied" label="Copy" />
            <PopoverMenu menuId={`${prefix}-menu`} icon="more" label="More">
              <button type="button" className="panel-row">
                Rename
              </button>
              <button type="button" className="panel-row">
                Remove
              </button>
            </PopoverMenu>
          </div>
        </Sample>
      </Samples>
      <Samples title="Badge and spinner">
        <div className="gallery-row">
          <Badge>Plain</Badge>
          <Badge tone="accent">Active</Badge>
          <Badge tone="warn">Sign-in needed</Badge>
          <Badge>{LONG_TEXT}</Badge>
          <Spinner />
        </div>
      </Samples>
      <Samples title="Sort heading">
        <div role="table" aria-label={`Sort headings, ${prefix}`}>
          <div role="row" className="gallery-row">
            <SortHeading label="Name" direction="ascending" align="start" onSort={ignore} />
            <SortHeading label="Value" direction="descending" align="end" onSort={ignore} />
            <SortHeading label="Day" direction={null} align="end" onSort={ignore} />
          </div>
        </div>
      </Samples>
    </>
  );
}

/** Shows dialogs and toasts, which open over the page in its own theme. */
export function OverlaySamples({ prefix }: { prefix: string }) {
  const [open, setOpen] = useState<'short' | 'long' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Samples title="Dialog and toaster">
      <div className="gallery-row">
        <Button onClick={() => setOpen('short')}>Open a dialog</Button>
        <Button onClick={() => setOpen('long')}>Open a long dialog</Button>
        <Button onClick={() => showToast('Saved.')}>Plain toast</Button>
        <Button onClick={() => showToast('Saved.', 'good', { label: 'Undo', run: ignore })}>Good toast</Button>
        <Button onClick={() => showToast(`Could not save. ${LONG_TEXT}`, 'bad')}>Bad toast</Button>
      </div>
      {open && (
        <Dialog title={open === 'short' ? `Remove it, ${prefix}?` : LONG_TEXT} onClose={close}>
          <p className="mt-3 text-ink-soft">{open === 'short' ? LONG_TEXT : `${LONG_TEXT}. `.repeat(30)}</p>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button onClick={close}>Cancel</Button>
            <Button variant="danger" onClick={close}>
              Remove
            </Button>
          </div>
        </Dialog>
      )}
    </Samples>
  );
}

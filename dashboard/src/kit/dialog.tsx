import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { ErrorNote } from './feedback.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: 'wide';
  /** Has the focus itself: a button at its end would scroll the beginning of a long text out of view. */
  readonly isForReading?: boolean;
}

/** A dialog that is shown as long as it is rendered. Escape closes it; focus returns to where it was. */
export function Dialog({ title, onClose, children, size, isForReading = false }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup ref={popup} className="dialog" data-size={size} {...(isForReading && { initialFocus: popup })}>
          <Base.Title>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Slides over the detail and never replaces it: provenance, an audit row, a version, a receipt. The page stays usable, so a
 * click on it does not close the panel: it may choose what the panel shows.
 */
export const SidePanel = ({ title, onClose, children }: Omit<DialogProps, 'size' | 'isForReading'>) => (
  <Base.Root open modal={false} disablePointerDismissal onOpenChange={(isOpen) => isOpen || onClose()}>
    <Base.Portal>
      <Base.Popup className="panel">
        <header className="row">
          <Base.Title>{title}</Base.Title>
          <Base.Close render={<Button kind="quiet" className="push" shortcut="esc" />}>Close</Base.Close>
        </header>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);

interface ConfirmProps {
  readonly title: string;
  /** What will happen and how to undo it. */
  readonly children: ReactNode;
  /** The verb of the button. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before it acts; stays open with the error if the action fails. */
export function Confirm({ title, children, action, isDanger, onConfirm, onClose }: ConfirmProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={(event) => void submit(event)}>
        {children}
        {error !== undefined && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind={isDanger ? 'danger' : 'primary'} disabled={isBusy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

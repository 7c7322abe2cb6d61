import { Button } from './kit/button.tsx';
import { Dialog } from './kit/dialog.tsx';
import { useShortcutGroups } from './kit/shortcuts.tsx';

/** Every key that works on the page below. */
export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const groups = useShortcutGroups();
  return (
    <Dialog title="Keys" onClose={onClose} isForReading>
      <dl className="facts">
        <dt>
          <kbd>⌘K</kbd> or <kbd>Ctrl K</kbd>
        </dt>
        <dd>Search everything</dd>
        {groups.flatMap(({ name, keys }) =>
          Object.entries(keys).flatMap(([key, { what }]) => [
            <dt key={`${name} ${key}`}>
              <kbd>{key}</kbd>
            </dt>,
            <dd key={`${name} ${key} what`}>
              {what} {name !== 'Everywhere' && <span className="soft">({name})</span>}
            </dd>,
          ]),
        )}
      </dl>
      <footer>
        <Button onClick={onClose} shortcut="esc">
          Close
        </Button>
      </footer>
    </Dialog>
  );
}

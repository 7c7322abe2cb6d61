import { useEffect, useRef, useSyncExternalStore } from 'react';

export interface Shortcut {
  readonly what: string;
  readonly run: () => void;
}

export interface ShortcutGroup {
  readonly name: string;
  /** A key, or two keys one after the other: `g i`. */
  readonly keys: Readonly<Record<string, Shortcut>>;
}

/** Later groups come first: a dialog or a list is above the page that contains it. */
let groups: readonly ShortcutGroup[] = [];
const listeners = new Set<() => void>();
function setGroups(next: readonly ShortcutGroup[]): void {
  groups = next;
  for (const listener of listeners) listener();
}

export const useShortcutGroups = (): readonly ShortcutGroup[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => groups,
  );

/** Keys that work while the component is shown. They are listed in the help sheet. */
export function useShortcuts(name: string, keys: Readonly<Record<string, Shortcut>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  const signature = Object.entries(keys)
    .map(([key, { what }]) => `${key}\0${what}`)
    .join('\n');
  useEffect(() => {
    const entries = signature === '' ? [] : signature.split('\n').map((line) => line.split('\0') as [string, string]);
    const group: ShortcutGroup = {
      name,
      keys: Object.fromEntries(
        entries.map(([key, what]) => [key, { what, run: () => latest.current[key]?.run() }] as const),
      ),
    };
    setGroups([group, ...groups]);
    return () => setGroups(groups.filter((other) => other !== group));
  }, [name, signature]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Buttons and links have their own meaning of enter. */
const ownsEnter = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && ['BUTTON', 'A', 'SUMMARY'].includes(target.tagName);

/** Escape leaves a field, so that the keys of the page work again. A search field is emptied first. */
function leaveField({ key, target }: KeyboardEvent): void {
  const isFilled = target instanceof HTMLInputElement && target.type === 'search' && target.value !== '';
  if (key === 'Escape' && !isFilled && isTyping(target)) (target as HTMLElement).blur();
}

const secondKeyMs = 3_000;

/** While a key is held, only moving goes on: a held `a` would approve one proposal after the other. */
const isHeld = ({ repeat, key }: KeyboardEvent): boolean => repeat && key !== 'j' && key !== 'k';

/** One listener for the whole application. */
export function listenForShortcuts(): () => void {
  let first: { readonly key: string; readonly at: number } | undefined;
  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // A dialog has keys of its own.
    if (event.target instanceof Element && event.target.closest('[role="dialog"]') !== null) return;
    if (isTyping(event.target)) {
      leaveField(event);
      return;
    }
    if (isHeld(event) || (event.key === 'Enter' && ownsEnter(event.target))) return;
    const find = (key: string) => groups.find(({ keys }) => keys[key] !== undefined)?.keys[key];
    const pair = first && event.timeStamp - first.at < secondKeyMs ? find(`${first.key} ${event.key}`) : undefined;
    // A pair first: the second key of `g a` must not approve the proposal on the screen.
    const found = pair ?? find(event.key);
    first = pair ? undefined : { key: event.key, at: event.timeStamp };
    if (found === undefined) return;
    event.preventDefault();
    found.run();
  }
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

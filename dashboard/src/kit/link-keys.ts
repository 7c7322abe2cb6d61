import { useShortcuts } from './shortcuts.tsx';

/** The list names its links: `<ul data-links="h2 a">`. */
function findLinks(): readonly HTMLElement[] {
  const list = document.querySelector<HTMLElement>('[data-links]');
  return list === null ? [] : [...list.querySelectorAll<HTMLElement>(list.dataset['links']!)];
}

function move(by: number): void {
  const links = findLinks();
  const at = links.indexOf(document.activeElement as HTMLElement);
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
}

/** The keys of a short list, which is in the page as a whole: they move the focus, and enter opens the focused link. */
export const useLinkKeys = (name: string): void =>
  useShortcuts(name, {
    j: { what: 'Next item', run: () => move(1) },
    k: { what: 'Previous item', run: () => move(-1) },
  });

/** Goes on from a search field to what it lists. */
export const focusList = (): void => (document.querySelector<HTMLElement>('.list') ?? findLinks()[0])?.focus();

import { useState } from 'react';
import { Button } from './button.tsx';
import { sayError } from './toast.tsx';

interface CopyProps {
  readonly text: string;
  /** What is copied, for the label: "Copy key". */
  readonly what?: string;
  /** Where the place does not say what is copied. */
  readonly isNamed?: boolean;
}

/** Browsers offer the clipboard only to pages of this machine or over HTTPS. */
async function toClipboard(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) {
    throw new Error('The browser lets a page copy only over HTTPS. Select the text and copy it.');
  }
  await clipboard.writeText(text);
}

export function Copy({ text, what = '', isNamed = false }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    await toClipboard(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  const label = isCopied ? 'Copied' : 'Copy';
  return (
    <Button kind="quiet" onClick={() => void copy().catch(sayError)} aria-label={`${label} ${what}`.trim()}>
      <span aria-live="polite">{isNamed ? `${label} ${what}` : label}</span>
    </Button>
  );
}

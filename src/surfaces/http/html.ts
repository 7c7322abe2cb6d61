/** Text that is safe in a page: either escaped here, or built from such. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter]!);

function toText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map((item) => item.html).join('');
}

/** html`<b>${anything}</b>`: what is put in is escaped unless it is Html itself. */
export const html = (parts: TemplateStringsArray, ...values: readonly Part[]): Html => ({
  html: parts.map((part, at) => part + toText(values[at])).join(''),
});

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#3b5bdb" d="M1 1h6v6H1z"/><path fill="#0ca678" d="M9 1h6v6H9z"/><path fill="#f08c00" d="M1 9h6v6H1z"/><path fill="#c2255c" d="M9 9h6v6H9z"/></svg>';

/** Four squares, one a memory. */
export const icon = {
  src: `data:image/svg+xml,${encodeURIComponent(drawing)}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
} as const;

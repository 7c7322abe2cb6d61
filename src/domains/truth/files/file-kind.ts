const contentTypes = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  html: 'text/html',
  eml: 'message/rfc822',
  markdown: 'text/markdown',
  text: 'text/plain',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
} as const;

export type FileKind = keyof typeof contentTypes;

export const contentTypeOf = (kind: FileKind): string => contentTypes[kind];

export const isImage = (kind: FileKind): boolean => contentTypes[kind].startsWith('image/');

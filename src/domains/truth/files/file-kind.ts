export type FileKind =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'csv'
  | 'html'
  | 'eml'
  | 'markdown'
  | 'text'
  | 'png'
  | 'jpeg'
  | 'gif'
  | 'webp'
  | 'tiff'
  | 'bmp';

const contentTypes: Readonly<Record<FileKind, string>> = {
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
};

export const contentTypeOf = (kind: FileKind): string => contentTypes[kind];

const images: ReadonlySet<FileKind> = new Set<FileKind>(['png', 'jpeg', 'gif', 'webp', 'tiff', 'bmp']);

export const isImage = (kind: FileKind): boolean => images.has(kind);

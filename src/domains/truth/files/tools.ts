import { getFileUrl } from './tools/get-file-url.ts';
import { uploadFile } from './tools/upload-file.ts';

export const fileTools = [uploadFile, getFileUrl] as const;

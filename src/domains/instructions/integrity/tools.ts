import { integrityManifest } from './tools/integrity-manifest.ts';
import { integrityVerify } from './tools/integrity-verify.ts';

export const integrityTools = [integrityVerify, integrityManifest] as const;

import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { certificate } from '../certificate.ts';
import { certificateInput } from '../forget-model.ts';

export const getForgetCertificate = defineTool({
  name: 'get_forget_certificate',
  title: 'Certificate of a forgetting',
  summary:
    'Shows what a forgetting removed, when and by whom, as counts and HMACs, whether its bytes are gone, and where copies may be left.',
  guide: {
    when: ['you must show that something was forgotten', 'a certificate was pending'],
    example: { id: 'fgt_01975e0c-3b1a-7c2e-9f10-5a2b7c8d9e0f' },
  },
  effect: 'read',
  scope: 'admin',
  input: certificateInput,
  output: certificate,
  faults: ['NOT_FOUND', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ forgetting }: Pick<Truth, 'forgetting'>, input, call) => forgetting.certificate(input, call),
});

import { defineFaults, fault } from '#kernel/fault/fault.ts';
import { failed } from '#kernel/storage/database-faults.ts';

const unknown = (what: string, fix: string) => ({
  rpc: -32602,
  http: 404,
  retryable: false,
  say: (_: Record<string, never>) => what,
  fix,
});

const meant = (nearest: string | undefined): string => (nearest === undefined ? '' : `; did you mean ${nearest}?`);

/** Codes of the document (sections 3, 5 and 9) that only this domain uses. */
export const truthFaults = defineFaults({
  UNKNOWN_CAPABILITY: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { nearest?: string }) => `Unknown capability${meant(p.nearest)}`,
    fix: 'Use a capability from list_capabilities, or register it with register_capability.',
  }),
  ENTITY_NOT_FOUND: fault({
    ...unknown('', 'Find it with get_entity_by_identifier or retrieve_entities.'),
    say: (p: { why?: string }) => `Entity not found${p.why === undefined ? '' : `: ${p.why}`}`,
  }),
  FIELD_NOT_FOUND: fault({
    ...unknown('', 'get_entity_snapshot lists the fields; names are case-sensitive.'),
    say: (p: { nearest?: string }) => `The snapshot does not have this field${meant(p.nearest)}`,
  }),
  RECORD_NOT_FOUND: fault(
    unknown('Record not found', 'Find it with retrieve_records, or restore a deleted one with restore_record.'),
  ),
  INVALID_RELATIONSHIP_TYPE: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: ({ known, near }: { known: readonly string[]; near: readonly string[] }) =>
      `Unknown relationship type${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '.'} Known: ${known.join(', ')}`,
    fix: 'Use a type from list_relationship_types, or register your own with register_relationship_type.',
  }),
  CYCLE_DETECTED: fault({
    rpc: -32002,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'list_relationships shows the edges of the cycle. Use another type (REFERS_TO may be mutual) or other entities.',
  }),
  FILE_NOT_FOUND: fault({
    rpc: -32602,
    http: 404,
    retryable: false,
    say: (p: { why?: string }) => (p.why === undefined ? 'File not found' : `File not found. ${p.why}`),
    fix: 'For upload_file use a regular file inside an allowed folder, add its folder to the fileRoots setting, or send content_base64 with file_name. For get_file_url use the file_url of an upload.',
  }),
  FILE_TOO_LARGE: fault({
    rpc: -32001,
    http: 400,
    retryable: false,
    say: (_: Record<string, never>) => 'File exceeds 50MB limit',
    fix: 'Split the file or store a smaller version of it.',
  }),
  UNSUPPORTED_FILE_TYPE: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'Supported types: PDF, DOCX, XLSX, CSV, HTML, EML, Markdown, plain text and images.',
  }),
  UPLOAD_FAILED: fault(failed('The file could not be stored')),
  ANALYSIS_FAILED: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { why: string }) => `The file is stored but could not be analysed: ${p.why}`,
    fix: 'Pass `properties` to skip the analysis, or upload a version that is not encrypted or damaged.',
  }),
  SIGNING_FAILED: fault(failed('The URL could not be signed')),
  SEARCH_FAILED: fault(failed('The search failed')),
});

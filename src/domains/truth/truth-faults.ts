import { defineFaults, fault } from '#kernel/fault/fault.ts';

const failed = (what: string) => ({
  rpc: -32603,
  http: 500,
  retryable: true,
  say: (p: { why: string }) => `${what}: ${p.why}`,
  fix: 'Repeat the call with the same idempotency key; if it goes on failing, `fourfold doctor` says what is wrong with the store.',
});

const unknown = (what: string, fix: string) => ({
  rpc: -32602,
  http: 404,
  retryable: false,
  say: (_: Record<string, never>) => what,
  fix,
});

/** Codes of the document (sections 3, 5 and 9) that only this domain uses. */
export const truthFaults = defineFaults({
  UNKNOWN_CAPABILITY: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (_: Record<string, never>) => 'There is no such capability',
    fix: 'Use one that list_capabilities shows, or register it with register_capability.',
  }),
  ENTITY_NOT_FOUND: fault(
    unknown('There is no such entity', 'Look it up with get_entity_by_identifier or retrieve_entities.'),
  ),
  FIELD_NOT_FOUND: fault(
    unknown('The snapshot has no such field', 'get_entity_snapshot shows the fields; names are case-sensitive.'),
  ),
  RECORD_NOT_FOUND: fault(
    unknown('There is no such record', 'retrieve_records shows them; a deleted one comes back with restore_record.'),
  ),
  INVALID_RELATIONSHIP_TYPE: fault({
    rpc: -32602,
    http: 400,
    retryable: false,
    say: (_: Record<string, never>) => 'There is no such type of relationship',
    fix: 'Use PART_OF, CORRECTS, REFERS_TO, SETTLES, DUPLICATE_OF, DEPENDS_ON or SUPERSEDES.',
  }),
  CYCLE_DETECTED: fault({
    rpc: -32002,
    http: 400,
    retryable: false,
    say: (p: { why: string }) => p.why,
    fix: 'list_relationships shows the edges that lead back; take another type (REFERS_TO may be mutual) or another end.',
  }),
  FILE_NOT_FOUND: fault(
    unknown('There is no such file', 'Give the path of a regular file inside the allowed folders (fileRoots).'),
  ),
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
    fix: 'PDF, DOCX, XLSX, CSV, HTML, EML, Markdown, plain text and images can be stored.',
  }),
  UPLOAD_FAILED: fault(failed('The file could not be stored')),
  ANALYSIS_FAILED: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { why: string }) => `The file is stored, but could not be analysed: ${p.why}`,
    fix: 'Give `properties` yourself (they skip the analysis), or store a version that is not encrypted or damaged.',
  }),
  SIGNING_FAILED: fault(failed('The address could not be signed')),
  SEARCH_FAILED: fault(failed('The search failed')),
  DB_INSERT_FAILED: fault(failed('Database insert failed')),
  DB_UPDATE_FAILED: fault(failed('Database update failed')),
  DB_DELETE_FAILED: fault(failed('Database delete failed')),
  DB_QUERY_FAILED: fault(failed('Database query failed')),
  SERVICE_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: (p: { why: string }) => p.why,
    fix: 'Wait a moment and repeat the call with the same idempotency key.',
  }),
});
